import { useEffect, useState } from 'react'
import { data, isRouteErrorResponse, useNavigate, useRouteError } from 'react-router'
import { company } from '#company/company.ts'
import { Button, ButtonAnchor, ButtonLink } from '../components/button.tsx'
import { isFirstLoad } from '../first-load.ts'
import { useTexts } from '../language.tsx'
import { texts } from './site-texts.ts'
import lostScene from '../illustrations/lost.svg'

/** Returns the found entry; throws a 404 response for the error boundary where there is none. */
export async function orNotFound<T>(found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    const { status } = error as { status?: unknown }
    // 400: the address contains no id.
    if (status === 404 || status === 400) throw data(null, { status: 404 })
    throw error
  }
}

/** Parses the id in an address; throws a 404 response where it is not one. */
export function readId(text: string) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw data(null, { status: 404 })
  return Number(text)
}

/** Error boundary of a layout, for a failed page or a deleted entry; retries when the network is back. */
export function PageErrorBoundary() {
  const error = useRouteError()
  useEffect(() => {
    const again = () => void loadFullPage(location.href)
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return isRouteErrorResponse(error) && error.status === 404 ? <NotFoundView /> : <ErrorView error={error} />
}

/** How long to wait for a page before the visitor is informed, in milliseconds. */
export const pageTimeoutMs = 10_000

/**
 * Navigates by a full page load once the server responds for the address; otherwise the browser would show its own error page.
 * Resolves to false where it does not respond, or a proxy reports that it is down.
 */
export async function loadFullPage(href: string, signal?: AbortSignal) {
  try {
    const { status } = await fetch(href, { redirect: 'manual', signal })
    // 511: a captive portal shows its sign-in in place of the page.
    if (status > 500 && status !== 511) return false
  } catch (error) {
    console.warn(error)
    return false
  }
  // Assigning the same address would only scroll.
  if (href === location.href) location.reload()
  else location.assign(href)
  return true
}

/** The same for the current address; only once, so that a page that always fails does not reload for ever. */
export async function loadFullPageOnce(signal: AbortSignal) {
  const state = history.state as { whole?: true } | null
  if (state?.whole) return false
  history.replaceState({ ...state, whole: true }, '')
  return loadFullPage(location.href, signal)
}

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

export function NotFoundView() {
  const t = useTexts(texts)
  const navigate = useNavigate()
  return (
    <div className="wrap grid items-center gap-10 py-16 md:grid-cols-2">
      <div className="grid justify-items-start gap-6">
        <h1>{t('notFoundTitle')}</h1>
        <p className="max-w-prose text-lg text-ink-2">{t('notFoundMessage')}</p>
        <ButtonLink
          to="/"
          onClick={(event) => {
            // One history step back, where there is one.
            if (!hasHistory()) return
            event.preventDefault()
            void navigate(-1)
          }}
        >
          {t('notFoundBack')}
        </ButtonLink>
      </div>
      <img src={lostScene} width="640" height="480" alt={t('notFoundScene')} className="scene" />
    </div>
  )
}

/** True where the previous history entry is a page of this site. */
function hasHistory() {
  const state = window.history.state as { idx?: unknown } | null
  const isClientNavigation = typeof state?.idx === 'number' && state.idx > 0
  return isClientNavigation || (window.history.length > 1 && document.referrer.startsWith(`${location.origin}/`))
}
