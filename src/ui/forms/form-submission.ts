import type { FormOutcome, FormErrors } from '#src/lib/form-result.ts'
import { ApiError } from '../api.ts'
import type { Failure } from './failures.ts'
import { failureOf, explainFieldError, fieldErrorTexts } from './failures.ts'
import type { FormSubmission, Sending } from './use-form.ts'
import { translateAll } from '#src/lib/form-result.ts'

type Schema = { safeParse: (value: unknown) => { error?: { issues: { path: PropertyKey[]; message: string }[] } } }

type Options<Answer> = {
  /** The contract's schema, so that browser and server reject the same values. */
  schema: Schema
  fields: readonly string[]
  send: (values: Record<string, string>, sending: Sending) => Promise<Answer>
  describeSent: (answer: Answer) => FormOutcome
  describeFailure: (failure: Failure, error: unknown) => FormOutcome
}

/** Validates and submits a form, and turns the response into its outcome. */
export function createFormSubmission<Answer>({
  schema,
  fields,
  send,
  describeSent,
  describeFailure,
}: Options<Answer>): FormSubmission {
  const check = (values: Record<string, string>) => translateErrors(schema.safeParse(values).error?.issues ?? [], fields)
  return {
    check,
    async submit(values, sending) {
      const errors = check(values)
      if (Object.keys(errors).length > 0) return { errors, outcome: null }
      try {
        return { errors: {}, outcome: describeSent(await send(values, sending)) }
      } catch (error) {
        console.warn(error)
        const refused =
          error instanceof ApiError
            ? translateErrors(
                error.errors.map(({ path, message }) => ({ path: [path], message })),
                fields,
              )
            : {}
        if (Object.keys(refused).length > 0) return { errors: refused, outcome: null }
        return { errors: {}, outcome: describeFailure(failureOf(error), error) }
      }
    },
  }
}

type Issue = { path: PropertyKey[]; message: string }

/** The first error of each field, translated. */
export function translateErrors(issues: Issue[], fields: readonly string[]): FormErrors {
  const own = issues.filter(({ path }) => fields.includes(String(path[0])))
  return Object.fromEntries(
    own.toReversed().map(({ path, message }) => [String(path[0]), translateAll(fieldErrorTexts, ...explainFieldError(message))]),
  )
}
