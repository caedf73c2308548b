import { useEffect, useRef, useState } from 'react'
import { createPath, useNavigation } from 'react-router'
import { company } from '#company/company.ts'
import { ButtonAnchor } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import { loadFullPage, pageTimeoutMs } from '#src/ui/page/page-errors.tsx'

const justLostMs = 1_000

/** Shows a notice with retry and phone when a navigation hangs, and falls back to a full page load. */
export function LateNavigation() {
  const t = useTexts(texts)
  const { tollFree } = company.phones
  const { location: next } = useNavigation()
  const [late, setLate] = useState<string>()
  const lostAt = useRef(-Infinity)
  useEffect(() => {
    const handleLoss = () => {
      lostAt.current = performance.now()
    }
    addEventListener('unhandledrejection', handleLoss)
    return () => removeEventListener('unhandledrejection', handleLoss)
  }, [])
  useEffect(() => {
    if (!next) return
    // A visitor who navigated elsewhere meanwhile stays there.
    const leaving = new AbortController()
    const { signal } = leaving
    const { href } = new URL(createPath(next), location.href)
    const leave = async () => {
      if (!(await loadFullPage(href, signal)) && !signal.aborted) setLate(href)
    }
    const timer = setTimeout(() => {
      setLate(href)
      void leave()
    }, pageTimeoutMs)
    // A missing script of the page (vite.config.ts), for which the router waits forever.
    addEventListener('unhandledrejection', () => void leave(), { signal })
    // It may be lost before this page, on a busy device, has rendered that another is on its way.
    if (performance.now() - lostAt.current < justLostMs) void leave()
    return () => {
      clearTimeout(timer)
      leaving.abort()
      setLate(undefined)
    }
  }, [next])
  return (
    <div role="alert">
      {late && (
        <div className="fixed inset-x-4 top-4 z-50 mx-auto flex max-w-max flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-5 py-3 shadow-float">
          <strong>{t('lateTitle')}</strong>
          <ButtonAnchor variant="secondary" size="small" href={late}>
            {t('errorRetry')}
          </ButtonAnchor>
          <ButtonAnchor size="small" className="tabular" href={`tel:${tollFree.e164}`}>
            {tollFree.display}
          </ButtonAnchor>
        </div>
      )}
    </div>
  )
}
