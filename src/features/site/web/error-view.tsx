import { useEffect } from 'react'
import { company } from '#company/company.ts'
import { Button, ButtonAnchor } from '#src/ui/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'

/** What stands where a page failed; plain links, since nothing else can be trusted here. */
export function ErrorView({ error }: { error: unknown }) {
  const t = useTexts(texts)
  // Told on the page, and logged (spec.md 8).
  useEffect(() => console.warn(error), [error])
  return (
    <div className="wrap grid justify-items-start gap-6 py-24">
      <h1>{t('errorTitle')}</h1>
      <p className="max-w-prose text-lg text-ink-2">{t('errorMessage', { phone: company.phones.tollFree.display })}</p>
      <div className="flex flex-wrap gap-3">
        <Button className="needs-script" onClick={() => location.reload()}>
          {t('errorRetry')}
        </Button>
        <ButtonAnchor variant="secondary" href="/">
          {t('errorHome')}
        </ButtonAnchor>
      </div>
    </div>
  )
}
