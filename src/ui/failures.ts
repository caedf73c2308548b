import { recentSignInProblem } from '#src/lib/problem-types.ts'
import { defineTexts } from '#src/lib/texts.ts'
import { ApiError } from './api.ts'

/** Why a call failed, as the key of a sentence in `failureTexts`. */
export type Failure =
  | 'unreachable'
  | 'signedOut'
  | 'unproven'
  | 'forbidden'
  | 'gone'
  | 'conflict'
  | 'lastAdministrator'
  | 'inUse'
  | 'tooLarge'
  | 'wrongType'
  | 'unusable'
  | 'limited'
  | 'diskFull'
  | 'invalid'
  | 'broken'

const byStatus: Record<number, Failure> = {
  0: 'unreachable',
  400: 'invalid',
  401: 'signedOut',
  403: 'forbidden',
  404: 'gone',
  409: 'conflict',
  413: 'tooLarge',
  415: 'wrongType',
  422: 'unusable',
  429: 'limited',
  507: 'diskFull',
}

/** A 409 other than another person's save has a reason of its own. */
const byReason: Record<string, Failure> = { 'last administrator': 'lastAdministrator', 'in use': 'inUse' }

export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'broken'
  const { status, problem, errors } = error
  if (problem.type === recentSignInProblem) return 'unproven'
  if (status === 409 && errors.length > 0) return 'invalid'
  const reason = typeof problem.reason === 'string' ? byReason[problem.reason] : undefined
  return reason ?? byStatus[status] ?? 'broken'
}

/** What happened and what to do about it, in the user's language. */
export const failureTexts = defineTexts({
  fr: {
    unreachable: 'Le serveur ne répond pas. Vérifiez votre connexion et réessayez ; rien n’est perdu.',
    signedOut: 'Votre session est terminée. Reconnectez-vous ; vos modifications restent dans cet onglet.',
    unproven: 'Votre identité n’a pas été confirmée : rien n’a été modifié. Réessayez pour la confirmer.',
    forbidden: 'Votre groupe d’accès ne permet pas cette opération.',
    gone: 'Cette fiche n’existe plus : quelqu’un l’a effacée.',
    conflict: 'Quelqu’un d’autre a sauvegardé entre-temps. Rien n’a été remplacé.',
    lastAdministrator:
      'C’est le dernier compte qui administre les utilisateurs et les groupes : donnez d’abord ces droits à un autre.',
    inUse: 'Des personnes sont dans ce groupe : donnez-leur d’abord un autre groupe.',
    tooLarge: 'Le fichier est trop gros.',
    wrongType: 'Ce type de fichier n’est pas accepté.',
    unusable: 'Ce fichier ne peut pas être lu.',
    diskFull:
      'Le disque du serveur est plein : rien n’a été sauvegardé. Prévenez qui s’occupe du serveur ; vos mots restent ici.',
    limited: 'Trop de demandes. Attendez un peu, puis réessayez.',
    invalid: 'Certaines valeurs sont à corriger.',
    broken: 'Une erreur est survenue de notre côté. Réessayez ; rien n’est perdu.',
  },
  en: {
    unreachable: 'The server does not answer. Check your connection and try again; nothing is lost.',
    signedOut: 'Your session is over. Sign in again; your changes stay in this tab.',
    unproven: 'Your identity was not confirmed: nothing was changed. Try again to confirm it.',
    forbidden: 'Your access group does not allow this.',
    gone: 'This entry is gone: someone deleted it.',
    conflict: 'Someone else saved in the meantime. Nothing was replaced.',
    lastAdministrator: 'This is the last account that administers users and groups: give these rights to another one first.',
    inUse: 'People belong to this group: give them another one first.',
    tooLarge: 'The file is too large.',
    wrongType: 'This type of file is not accepted.',
    unusable: 'This file cannot be read.',
    diskFull: 'The disk of the server is full: nothing was saved. Tell whoever looks after it; your words stay here.',
    limited: 'Too many requests. Wait a moment, then try again.',
    invalid: 'Some values need to be corrected.',
    broken: 'Something went wrong on our side. Try again; nothing is lost.',
  },
})

/** Refusals of one field, by the message of the contract's schema. */
export const fieldErrorTexts = defineTexts({
  fr: {
    required: 'Ce champ est obligatoire.',
    'too long': 'Ce texte est trop long.',
    'over limit': 'Ce texte compte {count} caractères, {max} au maximum.',
    'invalid e-mail address': 'Cette adresse de courriel n’est pas valide, par exemple zoe@example.com.',
    'one line only': 'Une seule ligne ici.',
    'invalid characters': 'Ce texte contient des caractères interdits.',
    'the French comes before the English': 'Le titre français vient avant l’anglais.',
    'the last day comes after the first': 'Le dernier jour vient après le premier.',
    invalid: 'Cette valeur n’est pas valide.',
  },
  en: {
    required: 'This field is required.',
    'too long': 'This text is too long.',
    'over limit': 'This text has {count} characters, {max} at most.',
    'invalid e-mail address': 'This e-mail address is not valid, for example zoe@example.com.',
    'one line only': 'One line only here.',
    'invalid characters': 'This text holds forbidden characters.',
    'the French comes before the English': 'The French title comes before the English one.',
    'the last day comes after the first': 'The last day comes after the first.',
    invalid: 'This value is not valid.',
  },
})

/** The key of a refusal's sentence and the figures that it names. */
export function explainFieldError(message: string): [keyof typeof fieldErrorTexts.fr, { count?: string; max?: string }] {
  const [, count, max] = /^too long: (\d+) of (\d+)$/.exec(message) ?? []
  if (count && max) return ['over limit', { count, max }]
  return [message in fieldErrorTexts.fr ? (message as keyof typeof fieldErrorTexts.fr) : 'invalid', {}]
}
