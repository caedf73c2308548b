import { useState } from 'react'
import type { Failure } from '#src/ui/failures.ts'
import { failureOf } from '#src/ui/failures.ts'

/** One small form that is sent once: busy meanwhile, with the reason where it was refused. */
export function useSending(send: () => Promise<unknown>, onDone: () => void) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const submit = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await send()
      onDone()
    } catch (error) {
      console.warn(error)
      setFailure(failureOf(error))
      setBusy(false)
    }
  }
  return { busy, failure, submit }
}
