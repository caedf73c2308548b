import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api.ts'
import type { Failure } from './failures.ts'
import { failureOf } from './failures.ts'

/** Why a save was refused, as a whole and by field. After each refusal the first wrong field has the focus. */
export function useRefusals() {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const element = useRef<HTMLFormElement>(null)
  const count = useRef(0)

  useEffect(() => {
    // After the errors are in the page, so that the field is announced with its own.
    if (count.current === 0) return
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) wrong.focus()
    else element.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' })
  }, [errors])

  const refuse = (found: Failure, wrong: Record<string, string>) => {
    count.current += 1
    setFailure(found)
    setErrors(wrong)
  }

  return {
    /** The form, for the focus. */
    element,
    failure,
    errors,
    refuse,
    refuseBy: (error: unknown) => {
      const wrong = error instanceof ApiError ? error.errors : []
      refuse(failureOf(error), Object.fromEntries(wrong.map(({ path, message }) => [path, message])))
    },
    forgetFailure: () => setFailure(null),
    forgetErrors: () => setErrors({}),
  }
}
