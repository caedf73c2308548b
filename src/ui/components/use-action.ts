import type { ReactNode } from 'react'
import { useCallback, useState } from 'react'
import { failureOf, failureTexts } from '../forms/failures.ts'
import { useTexts } from '../language.tsx'

type Outcome = { status: 'success' | 'error'; text: ReactNode; action?: ReactNode }
type Words = {
  /** Message after success; none where the page itself shows the result. */
  done?: ReactNode
  /** A button beside `done`; the message then stays until it is closed. */
  action?: ReactNode
  /** What failed, placed before the reason. */
  failed?: string
}

/** Runs the work of a button: `busy` while it runs, then `toast` holds the props of the `Toast` with its result. */
export function useAction() {
  const f = useTexts(failureTexts)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  // A stable function: a new one would restart the toast's timer.
  const handleHide = useCallback(() => setOutcome(null), [])

  const run = async (work: () => Promise<unknown>, { done, action, failed }: Words) => {
    setBusy(true)
    try {
      await work()
      setOutcome(done ? { status: 'success', text: done, action } : null)
    } catch (error) {
      console.warn(error)
      const reason = f(failureOf(error))
      setOutcome({ status: 'error', text: failed ? `${failed}. ${reason}` : reason })
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    run,
    toast: { status: outcome?.status ?? null, children: outcome?.text, action: outcome?.action, onHide: handleHide },
  }
}
