import { useState } from 'react'
import { defineTexts } from '#src/lib/language/texts.ts'
import { useTexts } from '../language.tsx'
import { Button } from './button.tsx'
import { pathIcon } from './icon.tsx'

const copyTexts = defineTexts({
  fr: {
    copy: 'Copier',
    copied: 'Copié',
    notCopied: 'Le navigateur refuse de copier. Sélectionnez et copiez : {text}',
  },
  en: {
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'The browser refuses to copy. Select and copy: {text}',
  },
})

const CopyIcon = pathIcon('M9 9h11v11H9zM15 9V4H4v11h5')

/** Copies a text and shows whether that worked; `label` defaults to Copier. */
export function CopyButton({ label, text }: { label?: string; text: string }) {
  const t = useTexts(copyTexts)
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null)
  const handleCopy = () => {
    // Without https a browser has no clipboard.
    const copying = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))
    copying.then(
      () => setOutcome('copied'),
      (error: unknown) => {
        console.warn(error)
        setOutcome('notCopied')
      },
    )
  }
  return (
    <>
      <Button variant="secondary" size="small" onClick={handleCopy}>
        <CopyIcon size={18} />
        <span>{label ?? t('copy')}</span>
      </Button>
      <span role="status" className="self-center text-sm wrap-anywhere empty:hidden">
        {outcome && t(outcome, { text })}
      </span>
    </>
  )
}
