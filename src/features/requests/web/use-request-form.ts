import { useEffect, useRef } from 'react'
import { useLanguage } from '#src/ui/language.tsx'
import { useForm } from '#src/ui/use-form.ts'
import type { PostedForm } from '../values.ts'
import { requestFields } from '../values.ts'

type Kind = keyof typeof requestFields

export type RequestFormProps = {
  /** What became of the form when it was posted without JavaScript. */
  posted: PostedForm | undefined
  /** The signed time of the first load; null after a navigation in the browser. */
  shownAt: string | null
}

/** One of the two public forms: its state, and what each of its fields needs. */
export function useRequestForm<K extends Kind>(kind: K, { posted, shownAt }: RequestFormProps) {
  const language = useLanguage()
  const shownSince = useRef<number>(undefined)
  const isFirstPage = useRef(shownAt !== null)
  useEffect(() => {
    // The first page was in sight before this script was.
    shownSince.current ??= isFirstPage.current ? 0 : performance.now()
  }, [])

  const fields: readonly (typeof requestFields)[K][number][] = requestFields[kind]
  const form = useForm({
    draftKey: `requests/${kind}`,
    fields,
    loadWork: async () => {
      const { createRequestWork } = await import('./request-work.ts')
      return createRequestWork(kind, () => Math.ceil(performance.now() - (shownSince.current ?? 0)))
    },
    locksWhileAnswered: true,
    initial: posted,
  })

  const firstRefused = fields.find((field) => posted?.errors[field])
  return {
    ...form,
    shownAt: posted?.shownAt ?? shownAt,
    /** The page came with the answer: it opens there, far below the top on a telephone. */
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
