import { useEffect, useRef } from 'react'
import { callApi } from '#src/ui/api.ts'
import { fieldErrorKey, fieldErrorTexts } from '#src/ui/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useForm } from '#src/ui/use-form.ts'
import type { RequestReceipt } from '../contract.ts'
import type { PostedForm } from '../values.ts'
import { minimumFillMs } from '../values.ts'

type Options<Field extends string> = {
  kind: 'support' | 'contact'
  fields: readonly Field[]
  /** What became of the form when it was posted without JavaScript. */
  posted: PostedForm | undefined
  /** The signed time of the first load; null after a navigation in the browser. */
  shownAt: string | null
}

/** One of the two public forms: its state, and what each of its fields needs. */
export function useRequestForm<Field extends string>({ kind, fields, posted, shownAt }: Options<Field>) {
  const language = useLanguage()
  const f = useTexts(fieldErrorTexts)
  const shownSince = useRef<number>(undefined)
  const isFirstPage = useRef(shownAt !== null)
  useEffect(() => {
    // The first page was in sight before this script was.
    shownSince.current ??= isFirstPage.current ? 0 : performance.now()
  }, [])
  const elapsed = () => Math.ceil(performance.now() - (shownSince.current ?? 0))

  const refused = posted && 'failure' in posted ? posted : null
  const form = useForm<Field, RequestReceipt>({
    draftKey: `requests/${kind}`,
    fields,
    loadSchema: async () => {
      const contract = await import('../contract.ts')
      return kind === 'support' ? contract.supportInput : contract.contactInput
    },
    send: async ({ shown_at: _shownAt, ...values }) => {
      // Kept values can be sent at once after a reload: the wait is ours, so that no person is taken for a robot.
      const tooEarly = minimumFillMs - elapsed()
      if (tooEarly > 0) await new Promise((resolve) => setTimeout(resolve, tooEarly))
      return callApi('POST', `/api/mailer/${kind}`, { ...values, language, elapsed_ms: elapsed() })
    },
    locksWhileAnswered: true,
    initial: posted && readPosted(posted),
  })

  const firstRefused = fields.find((field) => refused?.errors[field] !== undefined)
  return {
    ...form,
    shownAt: refused ? refused.shownAt : shownAt,
    refusedCount: fields.filter((field) => form.errors[field] !== undefined).length,
    field: (name: Field) => ({
      name,
      required: true,
      defaultValue: refused?.values[name] ?? '',
      error: form.errors[name] === undefined ? null : f(fieldErrorKey(form.errors[name])),
      autoFocus: name === firstRefused,
    }),
  }
}

export type RequestForm = Omit<ReturnType<typeof useRequestForm<string>>, 'field'>

function readPosted(posted: PostedForm) {
  if ('reference' in posted) return { status: 'success' as const, answer: posted }
  if (posted.failure === 'invalid') return { status: 'idle' as const, errors: posted.errors }
  return { status: 'error' as const, failure: posted.failure }
}
