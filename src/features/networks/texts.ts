import { defineTexts } from '#src/lib/language/texts.ts'

export const texts = defineTexts({
  fr: {
    title: 'État du réseau',
    description: 'L’état actuel de nos réseaux et de nos centres de données, et les avis de service.',
    follow: 'S’abonner à l’état du réseau',
    notify: 'M’aviser par courriel',
    live: 'Cette page se met à jour automatiquement.',
    feed: 'Fil Atom des changements et des avis',
    notesTitle: 'Avis de service',
    empty: 'Aucun réseau à afficher pour le moment',
    emptyHint: 'Une question sur votre service? Faites un appel de service.',
    emptyAction: 'Faire un appel de service',
    help: 'Un problème que vous ne voyez pas ici?',
  },
  en: {
    title: 'Network status',
    description: 'The current status of our networks and data centers, and service notices.',
    follow: 'Subscribe to network status',
    notify: 'Notify me by email',
    live: 'This page updates automatically.',
    feed: 'Atom feed of changes and notices',
    notesTitle: 'Service notices',
    empty: 'No networks to show at the moment',
    emptyHint: 'Questions about your service? Place a service call.',
    emptyAction: 'Place a service call',
    help: 'A problem you do not see here?',
  },
})
