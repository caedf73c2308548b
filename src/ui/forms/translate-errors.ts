import type { FormErrors } from '#src/lib/form-answer.ts'
import { translateAll } from '#src/lib/language/localized-text.ts'
import { explainFieldError, fieldErrorTexts } from './failures.ts'

type Issue = { path: PropertyKey[]; message: string }

/** The first error of each field, translated. */
export function translateErrors(issues: Issue[], fields: readonly string[]): FormErrors {
  const own = issues.filter(({ path }) => fields.includes(String(path[0])))
  return Object.fromEntries(
    own.toReversed().map(({ path, message }) => [String(path[0]), translateAll(fieldErrorTexts, ...explainFieldError(message))]),
  )
}
