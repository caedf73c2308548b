import { useEffect, useState } from 'react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  UNSAFE_useScrollRestoration as useScrollRestoration,
  useRevalidator,
  useRouteLoaderData,
} from 'react-router'
import { company } from '#company/company.ts'
import type { Company } from '#src/lib/company-schema.ts'
import { suppliedParameter } from '#src/features/pages/descriptions/values.ts'
import { getJson } from '#src/ui/api.ts'
import { isReloaded } from '#src/ui/live/live-areas.ts'
import { findHost, hostMetas } from '#src/ui/hosts.ts'
import { texts } from '#src/ui/page/site-texts.ts'
import { ErrorView, NotFoundView } from '#src/ui/page/page-errors.tsx'
import { LateNavigation } from '#src/app/navigation-recovery.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'
import { defaultLanguage, locales } from '#src/lib/language/language.ts'
import { isFirstLoad, useFirstLoadEnd, useHydrated, whenIdle } from '#src/ui/first-load.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { Route } from './+types/root.ts'
import '#src/ui/styles/public.css'

export function loader({ request, context }: Route.LoaderArgs) {
  const { origin, apiUrl, chatUrl, services } = context.get(pageContext)
  // Pages are rendered with a copy of their own, which must follow every change, also back to the files.
  Object.assign(company, services.company.findCurrentFacts())
  const { pathname, searchParams } = new URL(request.url)
  // Search engines look at the home page alone.
  const marks = pathname === '/' ? services.company.marks : undefined
  const preferences = readPreferences(request)
  const facts = services.company.findFacts()
  // The office sees what a page says by itself beside what it writes.
  const pages = searchParams.has(suppliedParameter) ? null : services.descriptions.find(pathname, preferences.language)
  return { ...preferences, origin, apiUrl, chatUrl, facts: pages ? { ...facts, pages } : facts, marks }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const facts = isReloaded('company') ? await getJson<Partial<Company>>('/api/company/facts').catch(() => null) : null
  return {
    ...readStoredPreferences(request),
    origin: location.origin,
    apiUrl: findHost('api'),
    chatUrl: findHost('chat'),
    facts,
    marks: undefined,
  }
}

/** Preferences change by an explicit choice only, never by going to another page. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  const [before, after] = [currentUrl, nextUrl].map(({ searchParams }) => searchParams.get('lang'))
  // The administration puts its language into an address that names none (admin-layout.tsx).
  const isPutIn = after === null && [currentUrl, nextUrl].every(({ pathname }) => /^\/admin\/(?!login)/.test(pathname))
  return currentUrl.href === nextUrl.href || (before !== after && !isPutIn)
}

export function Layout({ children }: { children: React.ReactNode }) {
  const preferences = useRouteLoaderData<typeof loader>('root')
  const language = preferences?.language ?? defaultLanguage
  const theme = preferences?.theme ?? 'auto'
  // What the administration changed, before any part of the page reads it.
  if (preferences?.facts) Object.assign(company, preferences.facts)
  useFirstLoadEnd()
  // When the browser renders the whole page again, such as after an error, Trusted Types block the script.
  const [isAnew] = useState(useHydrated())
  useFirstLoadEnd()
  return (
    <html lang={locales[language]} data-theme={theme === 'auto' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#14213d" />
        {preferences?.apiUrl && <meta name={hostMetas.api} content={preferences.apiUrl} />}
        {preferences?.chatUrl && <meta name={hostMetas.chat} content={preferences.chatUrl} />}
        {Object.entries(preferences?.marks ?? {}).map(([name, content]) => (
          <meta key={name} name={name} content={content} />
        ))}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icon-180.png" />
        <link rel="manifest" href={`/manifest.${language}.webmanifest`} />
        <link
          rel="alternate"
          type="application/atom+xml"
          href={`/reseau/feed.${language}.xml`}
          title={texts[language].networkStatus}
        />
        <Meta />
        <Links nonce="" />
        {company.colour && <link rel="stylesheet" href={`/couleur/${company.colour.slice(1)}.css`} />}
      </head>
      <body>
        <LanguageProvider value={language}>{children}</LanguageProvider>
        <ScrollPositions />
        {!isAnew && <Scripts />}
      </body>
    </html>
  )
}

/**
 * The router's own component adds a script that throws where storage is blocked; the browser restores the scroll position
 * itself.
 */
function ScrollPositions() {
  useScrollRestoration()
  return null
}

export default function Root({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    // Local storage may still have a choice whose cookie was deleted. Opening it blocks the main thread of a slow phone.
    return whenIdle(() => {
      if (readStoredPreferences({ url: location.href }).language !== loaderData.language) void revalidate()
    })
  }, [loaderData.language, revalidate])
  return (
    <>
      <LateNavigation />
      <Outlet />
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  // Drawn in the browser, it is a list of routes that did not arrive.
  if (isFirstLoad() && isRouteErrorResponse(error) && error.status === 404) return <NotFoundView />
  return (
    <main>
      <title>{company.name}</title>
      <ErrorView error={error} />
    </main>
  )
}
