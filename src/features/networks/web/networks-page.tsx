import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { data, redirect, useRevalidator } from 'react-router'
import type { Note } from '#src/features/notes/contract.ts'
import { NotesList, OlderNotesLink } from '#src/features/notes/web/notes-list.tsx'
import { isLiveChange, isReloaded, revalidateOn, summaryOfPage } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { languageOf, pageTags } from '#src/ui/page/page-meta.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'
import type { MaintenanceWindow } from '#src/features/updates/contract.ts'
import { CalendarLinks, MaintenanceList } from '#src/features/updates/web/maintenance-list.tsx'
import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage } from '#src/lib/language/language.ts'
import type { Area } from '#src/lib/rights.ts'
import { deviceStorage } from '#src/ui/storage.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { StatusPage } from '../server/overview.ts'
import { texts } from '../texts.ts'
import { networkViewKey } from '../values.ts'
import type { Route } from './+types/networks-page.ts'
import type { PageParts } from './status-changes.ts'
import './networks.css'

const views: Record<string, string> = { icones: 'icons', '90': 'long' }
const viewOf = (url: string) => views[new URL(url).searchParams.get('vue') ?? ''] ?? ''

/** The document has these parts as HTML, which hydration leaves in place: properties that are not sent would double its size. */
function withoutCopy({ networks, history, subscribe, ...rest }: StatusPage): PageParts {
  return Object.defineProperties(rest, {
    networks: { value: networks },
    history: { value: history },
    subscribe: { value: subscribe },
  })
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { services, insert } = context.get(pageContext)
  const { networks, notes, updates } = services
  const { language } = readPreferences(request)
  const isSent = new URL(request.url).searchParams.get('abonnement') === 'envoye'
  const [page, allNotes, windows] = await Promise.all([
    networks.findStatusPage(language, insert),
    notes.findRecent(),
    updates.findMaintenance(),
  ])
  const shown = isSent ? { ...page, subscribe: networks.renderSent(language) } : page
  return { page: withoutCopy(shown), notes: allNotes, windows, view: viewOf(request.url) }
}

/** The subscription form, a post of the page with and without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, address } = context.get(pageContext)
  const { language } = readPreferences(request)
  const form = await request.formData().catch(() => null)
  const answer = await services.networks.subscribeByForm(form, { address, language })
  if (!answer.isStored) return data({ subscribe: answer.html }, { status: answer.status })
  const target = '/reseau?abonnement=envoye#abonnement'
  return redirect(language === defaultLanguage ? target : addressInLanguage(target, language), 303)
}

type Shown = { page: PageParts; notes: Note[]; windows: MaintenanceWindow[]; language: Language }
/** What the open page shows. */
let shown: Shown | null = null
let loads = 0

const loadLive = () => import('./status-changes.ts')

async function loadStatusPage(language: Language): Promise<PageParts> {
  const page = await getJson<StatusPage>(`/api/networks/status_page?lang=${language}`)
  return { ...page, loaded: (loads += 1) }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { language } = readStoredPreferences(request)
  const before = isLiveChange() && shown?.language === language ? shown : null
  const load = <T,>(area: Area, former: T | undefined, whole: () => Promise<T>) =>
    former !== undefined && !isReloaded(area) ? former : whole()
  const [page, notes, windows] = await Promise.all([
    before && loadLive().then(({ updateStatusPage }) => updateStatusPage(language, before.page)),
    load('notes', before?.notes, async () =>
      // Staff get drafts too, which no public page shows.
      (await getJson<Note[]>('/api/notes/notes')).filter(({ state }) => state === 'open'),
    ),
    load('updates', before?.windows, () => getJson<MaintenanceWindow[]>('/api/updates/windows')),
  ])
  return { page: page ?? (await loadStatusPage(language)), notes, windows, view: viewOf(request.url) }
}

export const shouldRevalidate = revalidateOn('networks', 'notes', 'updates')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const t = translator(texts, languageOf(matches))
  const message = loaderData?.page.sentences.join(' · ')
  const title = message && message !== t('title') ? `${t('title')} | ${message}` : t('title')
  return pageTags(matches, title, t('description'), '/reseau')
}

export default function NetworksPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { page, notes, windows } = loaderData
  useEffect(() => {
    shown = { page, notes, windows, language }
    summaryOfPage.load = async () => (await loadLive()).loadSummary(language, page)
    return () => {
      shown = null
      summaryOfPage.load = undefined
    }
  }, [page, notes, windows, language])
  // A live change must not empty a form that somebody fills in: it stays as long as it is there.
  const isInPlace = import.meta.env.SSR || document.getElementById('abonnement') !== null
  // oxlint-disable-next-line react/exhaustive-deps
  const subscribe = useMemo(() => actionData?.subscribe ?? page.subscribe, [language, actionData, isInPlace || page.subscribe])
  const { status, sentences, others } = page
  const title = (
    <span className="flex items-start gap-4">
      {page.hasNetworks && <StatusIcon status={status} size={40} className="mt-1" />}
      <span key={sentences.join(' ')} className="grid gap-1">
        {sentences.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </span>
    </span>
  )
  return (
    <div className="wrap">
      <div className="status-head">
        <PageHead
          title={title}
          trail={[{ name: t('title'), path: '/reseau' }]}
          lead={
            <span role="status">
              <span className="sr-only">{`${sentences.join('. ')} `}</span>
              <span key={others}>{others}</span>
            </span>
          }
          actions={
            <a className="button button-secondary" href="#abonnement">
              {t('notify')}
            </a>
          }
        />
      </div>
      <RichText html={page.incidents} className="mb-6 grid gap-6" />
      <MaintenanceList windows={windows} />
      {page.hasNetworks ? (
        <Networks key={page.loaded} html={page.networks} show={page.show} asked={loaderData.view} />
      ) : (
        <EmptyState title={t('empty')} action={<ButtonLink to="/appel-de-service">{t('emptyAction')}</ButtonLink>}>
          {t('emptyHint')}
        </EmptyState>
      )}
      <div className="status-foot">
        <div>
          <RichText html={subscribe} className="" />
          <section className="mt-6 grid gap-2 print:hidden" aria-label={t('follow')}>
            <p className="needs-script text-ink-2">{t('live')}</p>
            <ul className="flex flex-wrap gap-x-6 gap-y-2">
              <li>
                <a className="text-brand underline" href={`/reseau/feed.${language}.xml`} type="application/atom+xml">
                  {t('feed')}
                </a>
              </li>
              <CalendarLinks />
            </ul>
          </section>
        </div>
        <div>
          <RichText html={page.history} className="" />
          <div aria-live="polite">
            <NotesList notes={notes} title={t('notesTitle')} more={<OlderNotesLink />} />
          </div>
        </div>
      </div>
      <p className="mt-12 flex flex-wrap items-center gap-4 text-ink-2 print:hidden">
        <span>{t('help')}</span>
        <ButtonLink to="/appel-de-service" variant="secondary">
          {t('emptyAction')}
        </ButtonLink>
      </p>
    </div>
  )
}

/** The ribbons, or the three icons: the choice of a visitor with scripts is stored in the browser. */
function Networks({ html, show, asked }: Pick<PageParts, 'show'> & { html: string | undefined; asked: string }) {
  const [chosen, setChosen] = useState('')
  const view = chosen || asked || 'ribbon'
  const language = useLanguage()
  const holder = useRef<HTMLDivElement>(null)
  const focused = useRef(-1)
  const ribbons = () => [...(holder.current?.querySelectorAll<HTMLElement>('.ribbon') ?? [])]
  useEffect(() => {
    const stored = deviceStorage.read(networkViewKey)
    if (stored && !asked) setChosen(stored)
  }, [asked])
  useEffect(() => {
    for (const link of holder.current?.querySelectorAll<HTMLElement>('[data-view]') ?? [])
      link.ariaCurrent = link.dataset.view === view ? 'true' : null
    // The style sheet shows these on a wide screen; now they are open for screen readers too.
    if (matchMedia('(min-width: 48rem)').matches)
      for (const fold of holder.current?.querySelectorAll('details') ?? [])
        if (fold.className) fold.open ||= fold.matches('.net-fold')
  }, [html, show, view])
  const { revalidate } = useRevalidator()
  // Where hydration failed, the page was drawn again without the server's HTML.
  useEffect(() => {
    if (html === undefined && !holder.current?.querySelector('.net')) void revalidate()
  }, [html, revalidate])
  // A live change replaces the element that had the focus.
  useLayoutEffect(() => {
    if (holder.current) show?.(holder.current)
    // Without scripts it is a picture with a name; with them its days are moved through.
    for (const ribbon of ribbons()) {
      const last = String((ribbon.dataset.days?.length ?? 1) - 1)
      Object.assign(ribbon, { tabIndex: 0, role: 'slider', ariaValueMin: '0', ariaValueMax: last, ariaValueNow: last })
    }
    if (focused.current >= 0 && document.activeElement === document.body) ribbons()[focused.current]?.focus()
  }, [html, show])

  const handleClick = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as HTMLElement).closest<HTMLElement>('[data-view]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    deviceStorage.write(networkViewKey, link.dataset.view ?? '')
    setChosen(link.dataset.view ?? '')
  }
  const read = (event: FocusEvent | KeyboardEvent | PointerEvent) => {
    const ribbon = (event.target as HTMLElement).closest<HTMLElement>('.ribbon')
    if (event.type === 'focus') focused.current = ribbon ? ribbons().indexOf(ribbon) : -1
    if (!ribbon) return
    const native = event.nativeEvent
    void import('./ribbon-reader.ts').then(({ readRibbon }) => readRibbon(ribbon, native, language)).catch(console.error)
    if (event.type === 'keydown' && /^(Arrow(Left|Right)|Home|End)$/.test((event as KeyboardEvent).key)) event.preventDefault()
  }
  return (
    <div
      ref={holder}
      data-view={view}
      className="net-view"
      onClickCapture={handleClick}
      onFocus={read}
      onBlur={() => (focused.current = -1)}
      onKeyDown={read}
      onPointerMove={read}
    >
      <RichText html={html} className="" />
    </div>
  )
}
