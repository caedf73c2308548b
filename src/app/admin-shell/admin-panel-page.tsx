import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { ReviewNotice } from '#src/features/articles/web/admin-articles-page.tsx'
import { LastChanges } from '#src/features/audit/web/last-changes.tsx'
import { CounterPanel } from '#src/features/chat/console/counter-panel.tsx'
import { FirstSteps } from '#src/features/chat/console/first-steps.tsx'
import type { Counter } from '#src/features/content/counter/contract.ts'
import { SetupList } from '#src/features/content/counter/web/setup-list.tsx'
import { TranslationList } from '#src/features/content/translations/web/translation-list.tsx'
import { BannerCard } from '#src/features/home/web/banner-card.tsx'
import { NetworkCard } from '#src/features/networks/web/network-card.tsx'
import { EmailNotice, PasswordNotice } from '#src/features/people/account/web/account-notices.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { CounterRequestsCard, SuspectedNotice } from '#src/features/requests/web/counter-requests.tsx'
import { LateDemandsCard } from '#src/features/privacy/web/late-demands-card.tsx'
import { VisitsCard } from '#src/features/visits/web/visits-card.tsx'
import { useFeatures } from '#src/features/content/web/admin-context.ts'
import { labelOfPath } from '#src/lib/feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import { getJson } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Loading } from '#src/ui/components/loading.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useLive } from '#src/ui/live/use-live.tsx'
import { adminTexts } from './admin-texts.ts'
import { mainPages } from './admin-menu.ts'
import { PageMark } from './admin-rail.tsx'
import './counter.css'

/** 'Section administrative', the counter: its four buttons, then what waits, by the rights of the user. */
export default function AdminPanelPage() {
  const t = useTexts(adminTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const profile = useProfile()
  const { rights, id_user: userId } = profile
  const { state } = useLocation() as { state: { from?: string } | null }
  const from = state?.from?.startsWith('/admin/') ? state.from : null
  const features = useFeatures()
  const going = from === null ? null : labelOfPath(features, from)
  const { counter, failure, reload } = useCounter()
  const { requests, networks, banner, changes } = counter ?? {}
  const canDeclare = hasRight(rights, 'networks', 'read_write')
  return (
    <div className="counter">
      <div className="counter-head">
        <h1 className="text-2xl">{t('panelTitle')}</h1>
        {canDeclare && (
          <ButtonLink to="/admin/reseau/pannes/nouvelle" variant="danger">
            {t('declare')}
          </ButtonLink>
        )}
        <ul>
          {mainPages(rights).map(({ path, label, panel }) => (
            <li key={path}>
              <Link to={path} className="counter-button">
                <PageMark path={path} label={label[language]} />
                <span>
                  <span className="block font-bold">{(panel.label ?? label)[language]}</span>
                  <span className="block text-sm text-ink-2">{counter ? counter.figures[path]?.[language] : '…'}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {from && (
        <p className="rounded-card bg-brand-soft px-5 py-4">
          <span>{going ? t('continueTo', { page: going[language] }) : t('continueElsewhere')}</span>{' '}
          <Link to={from} className="font-bold text-brand underline">
            {t('continueLink')}
          </Link>
        </p>
      )}
      <PasswordNotice profile={profile} />
      <EmailNotice profile={profile} />
      {failure && (
        <p role="alert" className="flex flex-wrap items-center gap-4 rounded-card bg-err-soft px-5 py-3 text-err">
          <span>
            <strong>{t('counterFailed')}</strong> <span>{f(failure)}</span>
          </span>
          <Button variant="secondary" size="small" onClick={() => void reload()}>
            {t('retry')}
          </Button>
        </p>
      )}
      {!counter && !failure && <Loading />}
      {counter?.chat && <CounterPanel facts={counter.chat} userId={userId} />}
      <FirstSteps />
      {counter && (
        <div className="counter-columns">
          <div>
            {requests && <CounterRequestsCard facts={requests} />}
            {requests && <SuspectedNotice count={requests.suspected} known={requests.suspected_known} />}
            {hasRight(rights, 'articles', 'read_write') && <ReviewNotice />}
            <TranslationList found={counter.translations} />
          </div>
          <div>
            {counter.late_demands && <LateDemandsCard count={counter.late_demands} />}
            {networks && <NetworkCard facts={networks} />}
            {banner !== undefined && (
              <BannerCard banner={banner} canWrite={hasRight(rights, 'home', 'read_write')} onChanged={reload} />
            )}
            {counter.visits && <VisitsCard facts={counter.visits} />}
            <SetupList steps={counter.setup} />
            {changes && <LastChanges changes={changes} userId={userId} />}
          </div>
        </div>
      )}
    </div>
  )
}

/** What has no event of its own, such as a request, is read again as often as this. */
const reloadMs = 60_000
/** Several changes of one moment are one reading. */
const gatherMs = 300

/** Read again with each live change, with the window's return, and once a minute while the window is visible. */
function useCounter() {
  const [counter, setCounter] = useState<Counter | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const reading = useRef<AbortController>(undefined)
  const gathering = useRef<ReturnType<typeof setTimeout>>(undefined)

  const reload = useCallback(async () => {
    reading.current?.abort()
    const own = new AbortController()
    reading.current = own
    try {
      setCounter(await getJson<Counter>('/api/counter', own.signal))
      setFailure(null)
    } catch (error) {
      if (own.signal.aborted) return
      console.warn(error)
      setFailure(failureOf(error))
    }
  }, [])
  const gather = useCallback(() => {
    clearTimeout(gathering.current)
    gathering.current = setTimeout(() => void reload(), gatherMs)
  }, [reload])

  // The lamp too: it is announced apart from the areas.
  useLive(gather, 0, gather)
  useEffect(() => {
    void reload()
    const readVisible = () => document.visibilityState === 'visible' && gather()
    const timer = setInterval(readVisible, reloadMs)
    document.addEventListener('visibilitychange', readVisible)
    return () => {
      clearInterval(timer)
      clearTimeout(gathering.current)
      document.removeEventListener('visibilitychange', readVisible)
      reading.current?.abort()
    }
  }, [gather, reload])
  return { counter, failure, reload }
}
