import type { FormOutcome } from '#src/lib/form-result.ts'
import { translateAll } from '#src/lib/form-result.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import type { Failure } from '#src/ui/forms/failures.ts'
import type { requestFields } from './form-values.ts'
import { failureTexts } from '#src/ui/forms/failures.ts'

/** Outcome texts of a sent form, used by the browser and the server. */
export const outcomeTexts = defineTexts({
  fr: {
    supportSent: 'Votre demande a été envoyée avec succès',
    contactSent: 'Votre message a été envoyé avec succès!',
    applicationSent: 'Votre candidature a été envoyée avec succès',
    keepApplication: 'Conservez ce numéro : il nous permet de retrouver votre candidature.',
    keepReference: 'Conservez votre numéro de demande : il nous permet de la retrouver.',
    stopped: 'L’envoi est arrêté',
    stoppedText: 'Votre texte et vos fichiers sont toujours là : renvoyez-les quand vous voulez.',
    failure: 'Une erreur est survenue lors de l’envoi de votre demande',
    unconfirmed: 'Sa réception n’est pas confirmée. Votre texte est conservé : renvoyez-le, il ne comptera qu’une fois.',
  },
  en: {
    supportSent: 'Your request was sent successfully',
    contactSent: 'Your message was sent successfully!',
    applicationSent: 'Your application was sent successfully',
    keepApplication: 'Keep this number: it lets us find your application.',
    keepReference: 'Keep your request number: it lets us find your request.',
    stopped: 'The upload is stopped',
    stoppedText: 'Your text and files are still here: send them whenever you want.',
    failure: 'An error occurred while sending your request',
    unconfirmed: 'Its receipt is not confirmed. Your text is kept: send it again, it will count only once.',
  },
})

/** It arrived, under this reference. */
export function storedOutcome(kind: keyof typeof requestFields, reference: string, follow: string | null): FormOutcome {
  const keep = kind === 'application' ? 'keepApplication' : 'keepReference'
  return {
    status: 'success',
    lines: [translateAll(outcomeTexts, `${kind}Sent`), translateAll(outcomeTexts, keep)],
    reference,
    ...(follow && { follow }),
  }
}

const ownReasons = new Set<Failure>(['limited', 'diskFull'])

/** Outcome of an unconfirmed request: the page cannot know whether it was stored. */
export function failedOutcome(failure: Failure, cause?: FormOutcome['cause']): FormOutcome {
  if (cause === 'stopped')
    return { status: 'error', lines: [translateAll(outcomeTexts, 'stopped'), translateAll(outcomeTexts, 'stoppedText')], cause }
  const reason = ownReasons.has(failure) ? translateAll(failureTexts, failure) : translateAll(outcomeTexts, 'unconfirmed')
  return { status: 'error', lines: [translateAll(outcomeTexts, 'failure'), reason], ...(cause && { cause }) }
}
