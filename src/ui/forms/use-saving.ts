import { useState } from 'react'
import { ApiError } from '../api.ts'
import { useTexts } from '../language.tsx'
import { explainFieldError, failureOf, failureTexts, fieldErrorTexts } from './failures.ts'

/** Saves a small form, of a dialog or a section: busy state, refused fields and the failure, in the user's language. */
export function useSaving() {
  const f = useTexts(failureTexts)
  const e = useTexts(fieldErrorTexts)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})

  /** `describe` may read what a conflict returned, and describe it in other words. */
  async function save(work: () => Promise<unknown>, describe?: (error: ApiError) => string | undefined) {
    if (busy) return
    setBusy(true)
    setFailure('')
    setErrors({})
    try {
      await work()
    } catch (error) {
      console.warn(error)
      const refusal = error instanceof ApiError ? error : null
      setErrors(Object.fromEntries((refusal?.errors ?? []).map(({ path, message }) => [path, message])))
      setFailure((refusal && describe?.(refusal)) ?? f(failureOf(error)))
    } finally {
      setBusy(false)
    }
  }

  const errorOf = (path: string) => (errors[path] ? e(...explainFieldError(errors[path])) : null)
  return { busy, failure, errorOf, save }
}
