import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { Outlet, useRevalidator, useRouteLoaderData } from 'react-router'
import { ChatLauncher } from '#src/features/chat/web/visitor/launcher.tsx'
import type { NetworkStatus } from '#src/features/networks/values.ts'
import type { Language } from '#src/lib/language.ts'
import type { loader as rootLoader } from '#src/root.tsx'
import { getJson } from '#src/ui/api.ts'
import type { Route } from './+types/public-layout.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { pageContext } from './page-context.ts'
import type { Theme } from './preferences.ts'
import { storeLanguage, storeTheme } from './preferences.ts'
import { ReloadNotice } from './reload-notice.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'
import { useLive } from './use-live.ts'
import { useTabIcon } from './use-tab-icon.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { since, services } = context.get(pageContext)
  return { since, networkStatus: await services.networks.findHeaderStatus() }
}

export async function clientLoader() {
  try {
    return { networkStatus: await getJson<NetworkStatus>('/api/networks/reseau/status') }
  } catch (error) {
    // The page is worth more than its light: the header shows no status rather than a wrong one.
    console.error(error)
    return { networkStatus: null }
  }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.href === nextUrl.href
}

export default function PublicLayout({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const preferences = useRouteLoaderData<typeof rootLoader>('root')
  const isOutdated = useLive(() => void revalidate(), 'since' in loaderData ? loaderData.since : 0)
  useTabIcon(loaderData.networkStatus)

  const chooseLanguage = (language: Language) => {
    storeLanguage(language)
    void revalidate()
  }
  const chooseTheme = (theme: Theme) => {
    storeTheme(theme)
    void revalidate()
  }

  return (
    <>
      <SiteHeader networkStatus={loaderData.networkStatus} languageSwitch={<LanguageSwitch onChoose={chooseLanguage} />} />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <SiteFooter theme={preferences?.theme ?? 'auto'} onTheme={chooseTheme} />
      <ReloadNotice shown={isOutdated} />
      <ChatLauncher />
    </>
  )
}
