import { recentSignInProblem } from '#src/lib/problem-types.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { ApiError } from '../api.ts'

/** Why a call failed: a key of `failureTexts`. */
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
  | 'tooLong'
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

/** A 409 other than an edit conflict has its own reason. */
const byReason: Record<string, Failure> = { 'last administrator': 'lastAdministrator', 'in use': 'inUse' }

export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'broken'
  const { status, problem, errors } = error
  if (problem.type === recentSignInProblem) return 'unproven'
  if (status === 409 && errors.length > 0) return 'invalid'
  const reason = typeof problem.reason === 'string' ? byReason[problem.reason] : undefined
  return reason ?? byStatus[status] ?? 'broken'
}

/** Error and remedy in the user's language. */
export const failureTexts = defineTexts({
  fr: {
    unreachable: 'Le serveur ne répond pas. Vérifiez votre connexion, puis réessayez. Rien n’est perdu.',
    signedOut:
      'Votre session a expiré, ou votre compte a été verrouillé. Reconnectez-vous; en cas de refus, demandez à un administrateur. Ce que vous avez écrit est conservé.',
    unproven: 'Votre identité n’a pas été confirmée : rien n’a été modifié. Réessayez pour la confirmer.',
    forbidden: 'Votre groupe d’accès ne permet pas cette opération. Demandez ce droit à un administrateur.',
    gone: 'Cette fiche n’existe plus : elle a été effacée.',
    conflict: 'Quelqu’un d’autre a fait une modification entre-temps. La vôtre n’a pas été sauvegardée.',
    lastAdministrator:
      'Ce compte est le dernier qui peut gérer les utilisateurs et les groupes. Accordez d’abord ces droits à un autre compte.',
    inUse: 'Ce groupe a encore des membres. Assignez-les d’abord à un autre groupe.',
    tooLarge: 'Le fichier est trop volumineux. Choisissez-en un plus petit.',
    tooLong: 'Ces textes sont trop longs pour être sauvegardés ensemble. Raccourcissez-les. Rien n’est perdu.',
    wrongType: 'Ce type de fichier n’est pas accepté.',
    unusable: 'Ce fichier est illisible ou endommagé. Choisissez-en un autre.',
    diskFull:
      'Le disque du serveur est plein : rien n’a été sauvegardé. Avisez le responsable du serveur. Votre texte est conservé ici.',
    limited: 'Trop de demandes. Attendez un peu, puis réessayez.',
    invalid: 'Corrigez les champs indiqués, puis réessayez.',
    broken: 'Une erreur est survenue de notre côté. Réessayez; rien n’est perdu.',
  },
  en: {
    unreachable: 'The server is not responding. Check your connection, then try again. Nothing is lost.',
    signedOut:
      'Your session has expired, or your account was locked. Sign in again; if you are refused, ask an administrator. What you wrote is kept.',
    unproven: 'Your identity was not confirmed: nothing was changed. Try again to confirm it.',
    forbidden: 'Your access group does not allow this. Ask an administrator for access.',
    gone: 'This entry no longer exists: it was deleted.',
    conflict: 'Someone else made a change in the meantime. Yours was not saved.',
    lastAdministrator: 'This is the last account that can manage users and groups. Grant these rights to another account first.',
    inUse: 'This group still has members. Move them to another group first.',
    tooLarge: 'The file is too large. Choose a smaller one.',
    tooLong: 'These texts are too long to be saved together. Shorten them. Nothing is lost.',
    wrongType: 'This type of file is not accepted.',
    unusable: 'This file is unreadable or damaged. Choose another one.',
    diskFull: 'The server disk is full: nothing was saved. Notify the server administrator. Your text is kept here.',
    limited: 'Too many requests. Wait a moment, then try again.',
    invalid: 'Correct the highlighted fields, then try again.',
    broken: 'Something went wrong on our side. Try again; nothing is lost.',
  },
})

/** Validation errors of one field, by the message of the contract's schema. */
export const fieldErrorTexts = defineTexts({
  fr: {
    required: 'Ce champ est obligatoire.',
    'too long': 'Ce texte est trop long. Raccourcissez-le.',
    'over limit': 'Ce texte compte {count} caractères, {max} au maximum.',
    'invalid e-mail address': 'Entrez une adresse de courriel valide, par exemple zoe@example.com.',
    'one line only': 'Écrivez ce texte sur une seule ligne.',
    'invalid characters': 'Ce texte contient des caractères non permis. Effacez-les.',
    'the last day comes after the first': 'Choisissez un dernier jour qui suit le premier.',
    'the end comes after the start': 'Choisissez une fin qui suit le début.',
    number: 'Entrez un nombre, par exemple 12.',
    whole: 'Entrez un nombre entier, par exemple 12.',
    'at least': 'Entrez un nombre d’au moins {min}.',
    'at most': 'Entrez un nombre d’au plus {max}.',
    'characters at most': 'Écrivez {max} caractères au maximum.',
    'items at most': 'Gardez {max} éléments au maximum.',
    choice: 'Choisissez un des éléments proposés.',
    date: 'Entrez une date complète, par exemple 2026-03-14.',
    moment: 'Entrez la date et l’heure, par exemple 2026-03-14 et 08:30.',
    'not a document': 'Un des fichiers n’est ni un PDF, ni un document Word ou ODT lisible. Choisissez-en un autre.',
    'files too large': 'Ces fichiers sont trop volumineux ou trop nombreux. Choisissez-en de plus petits.',
    'year out of range': 'Choisissez une année de 1900 à 9998.',
    'such as #1746a2': 'Entrez une couleur, par exemple #1746a2.',
    invalid: 'Cette valeur ne convient pas à ce champ. Corrigez-la, ou choisissez-en une autre.',
  },
  en: {
    required: 'This field is required.',
    'too long': 'This text is too long. Shorten it.',
    'over limit': 'This text has {count} characters, {max} at most.',
    'invalid e-mail address': 'Enter a valid email address, for example zoe@example.com.',
    'one line only': 'Enter this text on a single line.',
    'invalid characters': 'This text contains characters that are not allowed. Remove them.',
    'the last day comes after the first': 'Choose a last day after the first day.',
    'the end comes after the start': 'Choose an end after the start.',
    number: 'Enter a number, for example 12.',
    whole: 'Enter a whole number, for example 12.',
    'at least': 'Enter a number of at least {min}.',
    'at most': 'Enter a number of at most {max}.',
    'characters at most': 'Write at most {max} characters.',
    'items at most': 'Keep at most {max} items.',
    choice: 'Choose one of the items offered.',
    date: 'Enter a full date, for example 2026-03-14.',
    moment: 'Enter the date and the time, for example 2026-03-14 and 08:30.',
    'not a document': 'One of the files is no readable PDF, Word or ODT document. Choose another one.',
    'files too large': 'These files are too large or too many. Choose smaller ones.',
    'year out of range': 'Choose a year from 1900 to 9998.',
    'such as #1746a2': 'Enter a color, for example #1746a2.',
    invalid: 'This value does not suit this field. Correct it, or choose another one.',
  },
})

type Key = keyof typeof fieldErrorTexts.fr
type Values = { count?: number; min?: number; max?: number }

/** Messages that Zod writes itself, and the text that explains each. */
const wordedByZod: readonly [RegExp, (limit: number) => [Key, Values]][] = [
  [/^Too small: expected string to have >=1 /, () => ['required', {}]],
  [/^Too small: expected number to be >=(-?\d+)/, (min) => ['at least', { min }]],
  [/^Too small: expected number to be >0/, () => ['at least', { min: 1 }]],
  [/^Too big: expected number to be <=(-?\d+)/, (max) => ['at most', { max }]],
  [/^Too big: expected string to have <=(\d+)/, (max) => ['characters at most', { max }]],
  [/^Too big: expected array to have <=(\d+)/, (max) => ['items at most', { max }]],
  [/^Invalid input: expected int/, () => ['whole', {}]],
  [/^Invalid input: expected number/, () => ['number', {}]],
  [/^(Invalid option|Invalid input: expected ["\d])/, () => ['choice', {}]],
  [/^Invalid ISO datetime/, () => ['moment', {}]],
  [/^Invalid ISO date/, () => ['date', {}]],
]

/** The key of a validation error and the numbers in its text. */
export function explainFieldError(message: string): [Key, Values] {
  const [, count, max] = /^too long: (\d+) of (\d+)$/.exec(message) ?? []
  if (count && max) return ['over limit', { count: Number(count), max: Number(max) }]
  if (message in fieldErrorTexts.fr) return [message as Key, {}]
  for (const [pattern, explain] of wordedByZod) {
    const found = pattern.exec(message)
    if (found) return explain(Number(found[1]))
  }
  return ['invalid', {}]
}
