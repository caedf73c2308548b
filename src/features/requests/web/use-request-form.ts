import { readValues } from '#src/ui/forms/form-draft.ts'
import { useLanguage } from '#src/ui/language.tsx'
import { useForm } from '#src/ui/forms/use-form.ts'
import type { PostedForm } from '../form-values.ts'
import { requestFields } from '../form-values.ts'

type Kind = keyof typeof requestFields

export type RequestFormProps = {
  /** What became of the form when it was posted without JavaScript. */
  posted: PostedForm | undefined
  /** What the server gave the form of a first load; null after a navigation in the browser, which makes its own. */
  start: { shownAt: string | null; clientId: string | null }
}

const owned = ['client_id']
type Form = ReturnType<typeof useForm<string>>

/** One of the two public forms: its state, and what each of its fields needs. */
export function useRequestForm<K extends Kind>(kind: K, { posted, start }: RequestFormProps) {
  const language = useLanguage()
  const shownAt = posted?.shownAt ?? start.shownAt
  const fields: readonly (typeof requestFields)[K][number][] = requestFields[kind]
  const form: Form = useForm({
    draftKey: `requests/${kind}`,
    fields,
    owned,
    loadWork: async () => {
      const element = form.formProps.ref.current
      // What came with the page or was typed before goes on under the page's id; a new text gets its own.
      const values = element && readValues(element)
      const isNew = fields.every((field) => !values?.[field])
      // Shown as soon as it is sent; what fails here is tried again there.
      void import('./request-state.tsx').catch(() => undefined)
      const { createRequestWork } = await import('./request-work.ts')
      return createRequestWork(kind, shownAt, element, isNew)
    },
    locksWhileAnswered: true,
    initial: posted,
  })

  const firstRefused = fields.find((field) => posted?.errors[field])
  return {
    ...form,
    kind,
    shownAt,
    clientId: posted?.clientId ?? start.clientId ?? '',
    /** The page came with the answer: it opens there, far below the top on a phone. */
    opensAtAnswer: Boolean(posted?.outcome),
    field: (name: (typeof requestFields)[K][number]) => ({
      name,
      required: true,
      defaultValue: posted?.values[name] ?? '',
      error: form.errors[name]?.[language] ?? null,
      autoFocus: name === firstRefused,
    }),
  }
}

export type RequestForm = Omit<ReturnType<typeof useRequestForm>, 'field'>
