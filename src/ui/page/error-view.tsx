import { useEffect, useState } from 'react'
import { company } from '#company/company.ts'
import { Button, ButtonAnchor, ButtonLink } from '../components/button.tsx'
import { isFirstLoad } from './first-load.ts'
import { useTexts } from '../language.tsx'
import { texts } from './site-texts.ts'
import { loadFullPageOnce, pageTimeoutMs } from './full-page-load.ts'

/**
 * Shown where a page failed; plain links, since the router may be what failed. A page that failed in the browser is first
 * requested in full: a lost file or a proxy error while the server restarts needs no error page.
 */
export function ErrorView({ error }: { error: unknown }) {
  const t = useTexts(texts)
  const { tollFree } = company.phones
  // Shown on the page, and logged.
  useEffect(() => console.warn(error), [error])
  const [title, setTitle] = useState<'errorTitle' | 'lateTitle' | null>(() => (isFirstLoad() ? 'errorTitle' : null))
  useEffect(() => {
    if (title) return
    const asking = new AbortController()
    const timer = setTimeout(() => asking.abort(), pageTimeoutMs)
    void loadFullPageOnce(asking.signal).then((isLeaving) => isLeaving || setTitle('lateTitle'))
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [title])
  if (!title) return <div className="min-h-dvh" aria-busy="true" />
  return (
    <div className="wrap grid justify-items-start gap-6 py-24">
      <h1>{t(title)}</h1>
      <p className="max-w-prose text-lg text-ink-2">{t('errorMessage', { phone: tollFree.display })}</p>
      <div className="flex flex-wrap gap-3">
        <Button className="needs-script" onClick={() => location.reload()}>
          {t('errorRetry')}
        </Button>
        <ButtonAnchor className="tabular" href={`tel:${tollFree.e164}`}>
          {tollFree.display}
        </ButtonAnchor>
        <ButtonLink variant="secondary" to="/" reloadDocument>
          {t('errorHome')}
        </ButtonLink>
      </div>
    </div>
  )
}
