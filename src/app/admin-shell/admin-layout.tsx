import { useCallback, useEffect, useRef } from 'react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { Outlet, useLocation, useNavigate, useRevalidator } from 'react-router'
import type { Profile } from '#src/features/people/contract.ts'
import { RecentSignIn } from '#src/features/people/sign-in/web/recent-sign-in-dialog.tsx'
import { checkConnection } from '#src/features/people/sign-in/web/session.ts'
import { VisitorsView } from '#src/features/chat/console/first-steps.tsx'
import { PushDevices, PushListener } from '#src/features/chat/console/push-devices.tsx'
import { SingleKeysPanel } from '#src/features/chat/console/single-keys.tsx'
import { StaffChatProvider } from '#src/features/chat/console/staff-chat.tsx'
import { findSample } from '#src/features/company/web/sample-bar.tsx'
import { features } from '#src/app/features.ts'
import { FeaturesContext, ProfilePanelsContext } from '#src/features/content/web/admin-context.ts'
import { buttonTexts } from '#src/features/content/texts.ts'
import { UpdateAlertProvider } from '#src/features/updates/web/update-alert.tsx'
import { ApiError, authRefusedEvent } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { setDraftOwner } from '#src/ui/forms/entry-draft.ts'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, requestedLanguage } from '#src/lib/language/language.ts'
import { useTexts } from '#src/ui/language.tsx'
import { Loading } from '#src/ui/components/loading.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { adminTexts } from './admin-texts.ts'
import type { Route } from './+types/admin-layout.ts'
import { AdminFrame } from './admin-frame.tsx'

/** Checks the connection on an admin path: protected content renders only with a profile. */
export async function clientLoader() {
  const profile = await checkConnection().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return null
    throw error
  })
  if (!profile) throw new ApiError(401, {})
  setDraftOwner(profile.id_user)
  return { profile, sample: await findSample(profile) }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.href === nextUrl.href
}

export function meta() {
  return [{ title: 'Administration' }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return (
    <div className="grid min-h-dvh place-items-center">
      <Loading />
    </div>
  )
}

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  const { profile, sample } = loaderData
  return (
    <Framed profile={profile} sample={sample}>
      <Outlet context={profile} />
    </Framed>
  )
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const status = error instanceof ApiError ? error.status : undefined
  // Shown on the page, and logged.
  useEffect(() => console.warn(error), [error])
  if (status === 401) return <ToLogin />
  const view = <Failure status={status} />
  return loaderData?.profile ? <Framed {...loaderData}>{view}</Framed> : <main className="wrap py-16">{view}</main>
}

function ToLogin() {
  const goToLogin = useLogin()
  useEffect(() => {
    globalThis.takePaletteKeys?.()
    goToLogin()
  }, [goToLogin])
  return <HydrateFallback />
}

/** Redirects to `/login`, with the requested path in the navigation state. */
function useLogin() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return useCallback(() => {
    void navigate(addressInLanguage('/login', requestedLanguage(search)), { replace: true, state: { from: pathname + search } })
  }, [navigate, pathname, search])
}

/** An address whose link came with a language keeps it wherever one goes from there. */
function useAddressLanguage() {
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()
  const asked = useRef<Language | null>(null)
  useEffect(() => {
    const language = requestedLanguage(search)
    if (language) asked.current = language
    else if (asked.current) {
      const address = addressInLanguage(pathname + search + hash, asked.current)
      void navigate(address, { replace: true, preventScrollReset: true, state: state as unknown })
    }
  }, [navigate, pathname, search, hash, state])
}

/** What loads late comes last: it would push away the panel that a link points to. */
const profilePanels = [SingleKeysPanel, PushDevices, VisitorsView]

type FramedProps = { profile: Profile; sample: number | null; children: React.ReactNode }

function Framed({ profile, sample, children }: FramedProps) {
  const goToLogin = useLogin()
  useAddressLanguage()
  useEffect(() => {
    window.addEventListener(authRefusedEvent, goToLogin)
    return () => window.removeEventListener(authRefusedEvent, goToLogin)
  }, [goToLogin])
  return (
    <FeaturesContext value={features}>
      <UpdateAlertProvider initial={profile.update_alert}>
        <StaffChatProvider profile={profile}>
          <ProfilePanelsContext value={profilePanels}>
            <AdminFrame profile={profile} sample={sample}>
              {children}
            </AdminFrame>
          </ProfilePanelsContext>
          <PushListener rights={profile.rights} />
          <RecentSignIn username={profile.username} hasTotp={profile.totp_enabled} />
        </StaffChatProvider>
      </UpdateAlertProvider>
    </FeaturesContext>
  )
}

function Failure({ status }: { status: number | undefined }) {
  const t = useTexts(adminTexts)
  const b = useTexts(buttonTexts)
  const { revalidate, state } = useRevalidator()
  const goBack = useBack('/admin/panel')
  const toPanel = (
    <ButtonLink to="/admin/panel" variant="secondary">
      {t('panelTitle')}
    </ButtonLink>
  )
  if (status === 403) {
    return (
      <EmptyState heading="h1" title={t('forbiddenTitle')} action={toPanel}>
        {t('forbidden')}
      </EmptyState>
    )
  }
  // 400: the address contains no id.
  if (status === 404 || status === 400) {
    return (
      <EmptyState
        heading="h1"
        title={t('missingTitle')}
        action={
          <>
            <Button onClick={goBack}>{b('back')}</Button>
            {toPanel}
          </>
        }
      >
        {t('missing')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      heading="h1"
      title={t('failedTitle')}
      action={
        <Button busy={state === 'loading'} onClick={() => void revalidate()}>
          {t('retry')}
        </Button>
      }
    >
      {t('failed')}
    </EmptyState>
  )
}
