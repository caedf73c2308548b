import { useEffect, useState } from 'react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { Outlet, useLocation, useNavigation, useRevalidator, useRouteLoaderData } from 'react-router'
import { ChatLauncher } from '#src/features/chat/widget/launcher.tsx'
import type { NetworkSummary } from '#src/features/networks/values.ts'
import { addressInLanguage, requestedLanguage, defaultLanguage } from '#src/lib/language/language.ts'
import type { loader as rootLoader } from '#src/root.tsx'
import type { Availability } from '#src/lib/availability.ts'
import { lampOf } from '#src/lib/availability.ts'
import { getJson } from '#src/ui/api.ts'
import { RepairBoundary } from '#src/ui/components/repair-boundary.tsx'
import { useLanguage } from '#src/ui/language.tsx'
import { isLiveChange, revalidateArea, revalidateOn, summaryOfPage } from '#src/ui/live/live-areas.ts'
import { ReloadNotice, useLive } from '#src/ui/live/use-live.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
import type { Theme } from '#src/ui/page/preferences.ts'
import { storeTheme } from '#src/ui/page/preferences.ts'
import type { PublicContext } from '#src/ui/page/public-context.ts'
import { LanguageSwitch } from '../language-switch.tsx'
import type { Route } from './+types/public-layout.ts'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

const shouldRevalidateData = revalidateOn('networks')

export async function loader({ context }: Route.LoaderArgs) {
  const { since, services } = context.get(pageContext)
  const [network, availability, jobs] = await Promise.all([
    services.networks.findSummary(),
    services.chat.findState(),
    services.jobs.findOpen(),
  ])
  return { since, network, availability, isHiring: jobs.length > 0 }
}

export async function clientLoader() {
  const load = isLiveChange() && summaryOfPage.load
  // A live change, which every open page reads at once, leaves the sign at the careers as it is.
  const [network, jobs] = await Promise.all([
    orNull((load || getJson)('/api/networks/summary') as Promise<NetworkSummary>),
    isLiveChange() ? null : orNull(getJson<unknown[]>('/api/jobs/emplois')),
  ])
  return { network, availability: null, isHiring: jobs && jobs.length > 0 }
}

/** A page without network status is better than none: the header then shows no status. */
const orNull = <T,>(found: Promise<T>) =>
  found.catch((error: unknown) => {
    console.error(error)
    return null
  })

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.currentUrl.href === args.nextUrl.href && shouldRevalidateData(args)
}

export default function PublicLayout({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const { state } = useNavigation()
  const { network } = loaderData
  const preferences = useRouteLoaderData<typeof rootLoader>('root')
  // The event stream sends the current value first, then each change.
  const [availability, setAvailability] = useState(loaderData.availability)
  // As of the first load: it is not asked again.
  const [isHiring] = useState(loaderData.isHiring ?? false)
  const isOutdated = useLive(
    (area) => void revalidateArea(area, revalidate),
    'since' in loaderData ? loaderData.since : 0,
    setAvailability,
  )
  const language = useLanguage()
  const { key } = useLocation()
  useTab(availability)
  useEffect(() => {
    // The address may already be the next page's while this one, in the former language, renders again.
    const { key: addressed = 'default' } = (history.state ?? {}) as { key?: string }
    // Bypasses the router: no data must be reloaded, and links carry the language already.
    if (language !== defaultLanguage && addressed === key && !requestedLanguage(location.search))
      history.replaceState(history.state, '', addressInLanguage(location.href, language))
  }, [language, state, key])

  const chooseTheme = (theme: Theme) => {
    storeTheme(theme)
    void revalidate()
  }

  return (
    <>
      <RepairBoundary>
        <SiteHeader
          networkStatus={network?.status ?? null}
          languageSwitch={<LanguageSwitch />}
          isHiring={isHiring}
          availability={availability}
        />
      </RepairBoundary>
      <main id="content" tabIndex={-1} aria-busy={state !== 'idle'}>
        <Outlet context={{ availability, network } satisfies PublicContext} />
      </main>
      <RepairBoundary>
        <SiteFooter availability={availability} theme={preferences?.theme ?? 'auto'} onTheme={chooseTheme} />
        <ReloadNotice shown={isOutdated} />
      </RepairBoundary>
      <RepairBoundary>
        <ChatLauncher availability={availability} strip={network?.strip[language]} />
      </RepairBoundary>
    </>
  )
}

/** The tab shows the state of the chat; server-rendered HTML keeps the plain icon and title for search engines. */
function useTab(availability: Availability | null) {
  const { key } = useLocation()
  const lamp = availability ? lampOf(availability) : 'open'
  const emergency = lamp === 'emergency'
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon) return
    icon.href = lamp === 'open' ? '/favicon.svg' : `/favicon-${lamp}.svg`
    return () => {
      icon.href = '/favicon.svg'
    }
  }, [lamp])
  useEffect(() => {
    const title = document.title.replace(urgentMark, '')
    // After the number of unread messages.
    document.title = emergency ? title.replace(/^(\(\d+\) )?/, `$1${urgentMark}`) : title
  }, [emergency, key])
}

const urgentMark = '(!) '
