import { defineTexts } from '#src/lib/language/texts.ts'

export const feedTexts = defineTexts({
  fr: {
    title: 'État du réseau de {company}',
    subtitle: 'Changements d’état et avis de service.',
    networkTitle: '{name} : {state}',
    online: 'en ligne',
    offline: 'hors ligne',
    unknown: 'état inconnu',
    detail: '{name} : {status}',
    ok: 'en service',
    warning: 'dégradé',
    error: 'en panne',
    noteTitle: 'Avis de service : {date}',
  },
  en: {
    title: '{company} network status',
    subtitle: 'Status changes and service notices.',
    networkTitle: '{name}: {state}',
    online: 'online',
    offline: 'offline',
    unknown: 'unknown status',
    detail: '{name}: {status}',
    ok: 'operational',
    warning: 'degraded',
    error: 'down',
    noteTitle: 'Service notice: {date}',
  },
})
