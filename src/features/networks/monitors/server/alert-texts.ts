import { defineTexts } from '#src/lib/language/texts.ts'

/** What a monitor writes: the texts of its outages, and mails to the staff. */
export const alertTexts = defineTexts({
  fr: {
    downTitle: '{name} ne répond pas',
    down: '{name} ne répond pas depuis {time}. Nos techniciens cherchent la cause.',
    manyDownTitle: '{name} : plusieurs éléments ne répondent pas',
    manyDegradedTitle: '{name} : plusieurs éléments fonctionnent mal',
    degradedTitle: '{name} fonctionne mal',
    degraded: '{name} fonctionne mal depuis {time}. Nos techniciens cherchent la cause.',
    back: '{name} répond de nouveau depuis {time}. Nous suivons la situation.',
    again: '{name} ne répond plus depuis {time}. Nos techniciens cherchent la cause.',
    resolved: '{name} fonctionne normalement depuis {time}.',
    subject: 'Surveillance : {names}',
    subjectMany: 'Surveillance : {count} éléments',
    proposed: '{name} : en panne depuis {time}. Une panne est proposée, et rien n’est publié.',
    published: '{name} : en panne depuis {time}. La panne est publiée.',
    recovered: '{name} : répond de nouveau depuis {time}.',
    where: 'Voir et décider : {address}',
  },
  en: {
    downTitle: '{name} is not responding',
    down: '{name} has not responded since {time}. Our technicians are looking for the cause.',
    manyDownTitle: '{name}: several components are not responding',
    manyDegradedTitle: '{name}: several components are not working well',
    degradedTitle: '{name} is not working well',
    degraded: '{name} has not been working well since {time}. Our technicians are looking for the cause.',
    back: '{name} has been responding again since {time}. We are following the situation.',
    again: '{name} stopped responding again at {time}. Our technicians are looking for the cause.',
    resolved: '{name} has been working normally since {time}.',
    subject: 'Monitoring: {names}',
    subjectMany: 'Monitoring: {count} components',
    proposed: '{name}: down since {time}. An outage is proposed, and nothing is published.',
    published: '{name}: down since {time}. The outage is published.',
    recovered: '{name}: has been responding again since {time}.',
    where: 'See and decide: {address}',
  },
})
