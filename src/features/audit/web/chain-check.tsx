import { useState } from 'react'
import { getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import type { Verification } from '../contract.ts'
import { texts } from '../texts.ts'

const brokenTexts = {
  changed: 'broken',
  sealed: 'brokenSealed',
  missing: 'brokenMissing',
  unsealed: 'brokenUnsealed',
} as const

/** Has the whole chain read, and says whether each line is as it was written. */
export function ChainCheck() {
  const t = useTexts(texts)
  const f = useTexts(failureTexts)
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<Verification | Failure | null>(null)

  const handleCheck = async () => {
    setBusy(true)
    setFound(null)
    try {
      setFound(await getJson<Verification>('/api/audit/verification'))
    } catch (error) {
      console.warn(error)
      setFound(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  const isWhole = typeof found === 'object' && found?.broken_at === null

  return (
    <>
      <Button variant="secondary" busy={busy} onClick={() => void handleCheck()}>
        {t('verify')}
      </Button>
      <Toast status={found === null ? null : isWhole ? 'success' : 'error'} onHide={() => setFound(null)}>
        {typeof found === 'string' && f(found)}
        {typeof found === 'object' &&
          found &&
          (found.broken_at === null
            ? t('verified', { count: found.lines })
            : t(brokenTexts[found.reason ?? 'changed'], { id: found.broken_at }))}
      </Toast>
    </>
  )
}
