import { defineTexts } from '#src/lib/language/texts.ts'

export const progressTexts = defineTexts({
  fr: {
    of: '{done} / {total}',
    left: 'encore {time}',
    rate: '{rate}/s',
    seconds: '{seconds} s',
    minutes: '{minutes} min {seconds} s',
    hours: '{hours} h {minutes} min',
    entries: 'entrées',
    rows: 'lignes',
    events: 'événements',
    files: 'fichiers',
    bytes: 'octets',
    mails: 'courriels',
    steps: 'étapes',
  },
  en: {
    of: '{done} of {total}',
    left: '{time} left',
    rate: '{rate}/s',
    seconds: '{seconds} s',
    minutes: '{minutes} min {seconds} s',
    hours: '{hours} h {minutes} min',
    entries: 'entries',
    rows: 'rows',
    events: 'events',
    files: 'files',
    bytes: 'bytes',
    mails: 'mails',
    steps: 'steps',
  },
})
