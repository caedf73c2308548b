import { useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { profileTexts } from '../profile-texts.ts'
import './recovery-codes.css'

/** Shown once; leaving is a choice, so that nobody loses them by a click beside. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const t = useTexts(profileTexts)
  const [copied, setCopied] = useState(false)
  // Browsers have it on https and on this machine only.
  const canCopy = 'clipboard' in navigator
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'))
    setCopied(true)
  }
  return (
    <div className="recovery-codes grid gap-4">
      <h3>{t('codesTitle')}</h3>
      <p role="status">{t('codesIntro')}</p>
      <ol className="tabular grid grid-cols-2 gap-x-8 gap-y-2 rounded-card bg-paper px-6 py-4 font-mono sm:max-w-md">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="recovery-actions flex flex-wrap gap-3">
        {canCopy && (
          <Button variant="secondary" onClick={() => void copy()}>
            {t(copied ? 'copied' : 'copy')}
          </Button>
        )}
        <Button variant="secondary" onClick={() => print()}>
          {t('print')}
        </Button>
        <Button onClick={onKept}>{t('codesKept')}</Button>
      </div>
    </div>
  )
}
