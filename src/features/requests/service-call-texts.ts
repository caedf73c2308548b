import { defineTexts } from '#src/lib/language/texts.ts'

export const serviceCallTexts = defineTexts({
  fr: {
    title: 'Appel de service',
    description:
      'Décrivez votre problème informatique ou téléphonique en quelques lignes : vous recevez aussitôt un numéro de demande et un technicien vous répond.',
    lead: 'Décrivez votre problème. Vous recevez aussitôt un numéro de demande, puis un technicien vous répond.',
    firstname: 'Prénom',
    lastname: 'Nom',
    subject: 'Objet',
    descriptionLabel: 'Description',
    descriptionTip: 'Ce que vous faisiez, ce qui s’affiche, combien de postes sont touchés.',
    send: 'Envoyer la demande',
    nextTitle: 'Ce qui se passe ensuite',
    next1: 'Votre demande reçoit un numéro, affiché sur cette page.',
    next2: 'Un technicien la lit, puis vous écrit ou vous appelle.',
    next3: 'Reçue en dehors des heures d’ouverture, elle est traitée le jour ouvrable suivant.',
    urgent: 'C’est urgent? Appelez-nous :',
  },
  en: {
    title: 'Service call',
    description:
      'Describe your computer or phone problem in a few lines: you get a request number right away and a technician replies.',
    lead: 'Describe your problem. You get a request number right away, then a technician replies.',
    firstname: 'First name',
    lastname: 'Last name',
    subject: 'Subject',
    descriptionLabel: 'Description',
    descriptionTip: 'What you were doing, what the screen says, how many workstations are affected.',
    send: 'Send the request',
    nextTitle: 'What happens next',
    next1: 'Your request gets a number, shown on this page.',
    next2: 'A technician reads it, then writes to you or calls you.',
    next3: 'Received outside office hours, it is handled the next business day.',
    urgent: 'Is it urgent? Call us:',
  },
})
