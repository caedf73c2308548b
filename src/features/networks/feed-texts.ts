import { defineTexts } from '#src/lib/texts.ts'

export const feedTexts = defineTexts({
  fr: {
    title: 'État du réseau de {company}',
    subtitle: 'Chaque changement d’état et chaque avis de service.',
    networkTitle: '{name} : {state}',
    online: 'en ligne',
    offline: 'hors ligne',
    unknown: 'état non indiqué',
    detail: '{name} : {status}',
    ok: 'en service',
    warning: 'dégradé',
    error: 'en panne',
    noteTitle: 'Avis de service : {date}',
  },
  en: {
    title: '{company} network status',
    subtitle: 'Every change of state and every service notice.',
    networkTitle: '{name}: {state}',
    online: 'online',
    offline: 'offline',
    unknown: 'state not given',
    detail: '{name}: {status}',
    ok: 'up',
    warning: 'degraded',
    error: 'down',
    noteTitle: 'Service notice: {date}',
  },
})
