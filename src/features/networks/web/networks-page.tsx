import type { Note } from '#src/features/notes/contract.ts'
import { NotesList } from '#src/features/notes/web/notes-list.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { describePage } from '#src/ui/page/page-meta.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import type { MaintenanceWindow } from '#src/features/updates/contract.ts'
import { CalendarLinks, MaintenanceList } from '#src/features/updates/web/maintenance-list.tsx'
import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import type { Network } from '../contract.ts'
import { texts } from '../texts.ts'
import { worstStatus } from '../values.ts'
import type { Route } from './+types/networks-page.ts'
import { NetworkCard } from './network-card.tsx'
import './networks.css'

export async function loader({ context }: Route.LoaderArgs) {
  const { networks, notes, updates } = context.get(pageContext).services
  const [allNetworks, allNotes, windows] = await Promise.all([networks.findAll(), notes.findAll(), updates.findMaintenance()])
  return { networks: allNetworks, notes: allNotes, windows }
}

export async function clientLoader() {
  const [networks, notes, windows] = await Promise.all([
    getJson<Network[]>('/api/networks/reseau'),
    getJson<Note[]>('/api/notes/notes'),
    getJson<MaintenanceWindow[]>('/api/updates/windows'),
  ])
  return { networks, notes, windows }
}

export const shouldRevalidate = revalidateOn('networks', 'notes', 'updates')

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, texts, 'title', 'description', '/reseau')
}

const summaries = { OK: 'summaryOk', WARNING: 'summaryWarning', ERROR: 'summaryError' } as const

export default function NetworksPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { networks, notes, windows } = loaderData
  const worst = worstStatus(networks)
  return (
    <div className="wrap">
      <PageHead
        title={t('title')}
        trail={[{ name: t('title'), path: '/reseau' }]}
        lead={
          networks.length > 0 && (
            <span role="status" className="flex items-center gap-3 font-bold text-ink">
              <StatusIcon status={worst} />
              <span key={worst}>{t(summaries[worst])}</span>
            </span>
          )
        }
      />
      <MaintenanceList windows={windows} />
      {networks.length === 0 ? (
        <EmptyState title={t('empty')} action={<ButtonLink to="/appel-de-service">{t('emptyAction')}</ButtonLink>}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <div aria-live="polite" className="grid items-start gap-6 lg:grid-cols-2">
          {networks.map((network) => (
            <NetworkCard key={network.id_reseau} network={network} />
          ))}
        </div>
      )}
      <div aria-live="polite">
        <NotesList notes={notes} title={t('notesTitle')} />
      </div>
      <section className="mt-14 grid gap-2 print:hidden" aria-label={t('follow')}>
        <h2 className="text-2xl">{t('follow')}</h2>
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
      <p className="mt-12 flex flex-wrap items-center gap-4 text-ink-2 print:hidden">
        <span>{t('help')}</span>
        <ButtonLink to="/appel-de-service" variant="secondary">
          {t('emptyAction')}
        </ButtonLink>
      </p>
    </div>
  )
}
