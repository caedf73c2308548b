import type { ReactNode } from 'react'
import { useCallback, useState } from 'react'
import { failureOf, failureTexts } from '../forms/failures.ts'
import { useTexts } from '../language.tsx'

type Outcome = { status: 'success' | 'error'; text: ReactNode }
type Words = {
  /** What is said once the work is done; nothing is, where the page itself shows it. */
  done?: ReactNode
  /** What did not work, in front of why. */
  failed?: string
}

/** Work that a button starts: `busy` while it goes on, then `toast` are the props of the `Toast` that says what came of it. */
export function useAction() {
  const f = useTexts(failureTexts)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  // The same function each time: another one would start the toast's time anew.
  const handleHide = useCallback(() => setOutcome(null), [])

  const run = async (work: () => Promise<unknown>, { done, failed }: Words) => {
    setBusy(true)
    try {
      await work()
      setOutcome(done ? { status: 'success', text: done } : null)
    } catch (error) {
      console.warn(error)
      const reason = f(failureOf(error))
      setOutcome({ status: 'error', text: failed ? `${failed}. ${reason}` : reason })
    } finally {
      setBusy(false)
    }
  }
  return { busy, run, toast: { status: outcome?.status ?? null, children: outcome?.text, onHide: handleHide } }
}
