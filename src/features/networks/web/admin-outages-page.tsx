import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useRight, useRights } from '#src/features/content/web/admin-context.ts'
import { EnglishBadge } from '#src/features/content/web/use-bilingual.tsx'
import { pickText } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { getJson } from '#src/ui/api.ts'
import { apiAddress } from '#src/ui/hosts.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Incident } from '../contract.ts'
import { outageTexts } from '../outage-texts.ts'
import type { Route } from './+types/admin-outages-page.ts'

/** Of a year, as contracts on service levels ask for it. */
const csvPath = '/api/networks/history.csv?days=366'

export async function clientLoader() {
  return { incidents: await getJson<Incident[]>('/api/networks/incidents') }
}

const isEnglishMissing = ({ title, title_en, updates, meanwhile, meanwhile_en }: Incident) =>
  [[title, title_en], [meanwhile, meanwhile_en], ...updates.map(({ text, text_en }) => [text, text_en])].some(
    ([french = '', english = '']) => french.trim() !== '' && english.trim() === '',
  )

/** Outages of the last three months, with those that are not over and the drafts. */
export default function AdminOutagesPage({ loaderData: { incidents } }: Route.ComponentProps) {
  useRight(['networks'], 'read_only')
  const canWrite = hasRight(useRights(), 'networks', 'read_write')
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const actions = (
    <>
      <ButtonLink variant="secondary" to="/admin/reseau/abonnes">
        {t('subscribers')}
      </ButtonLink>
      <ButtonLink to="/admin/reseau/pannes/nouvelle">{t('declare')}</ButtonLink>
    </>
  )
  return (
    <>
      <AdminHead title={t('listTitle')} backTo="/admin/reseau" actions={canWrite && actions} />
      {incidents.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
      ) : (
        <Table
          caption={t('listTitle')}
          rows={incidents}
          rowKey={(incident) => incident.id_incident}
          columns={[
            { header: t('number'), cell: ({ number }) => number },
            {
              header: t('name'),
              isRowHeader: true,
              cell: (incident) => (
                <span className="flex flex-wrap items-center gap-2">
                  <Link className="underline" to={`/admin/reseau/pannes/${incident.id_incident}`}>
                    {pickText(language, incident.title, incident.title_en) || t('draft')}
                  </Link>
                  {isEnglishMissing(incident) && <EnglishBadge state="missing" />}
                </span>
              ),
            },
            { header: t('phase'), cell: ({ phase }) => t(phase) },
            { header: t('started'), cell: ({ started_at }) => <Moment at={started_at} /> },
            {
              header: t('status'),
              cell: ({ draft, resolved_at }) => (
                <Badge tone={draft ? 'neutral' : resolved_at ? 'ok' : 'warn'}>
                  {t(draft ? 'draft' : resolved_at ? 'done' : 'open')}
                </Badge>
              ),
            },
          ]}
        />
      )}
      <p className="mt-6 flex flex-wrap gap-3">
        <ButtonAnchor variant="secondary" size="small" href={apiAddress(`${csvPath}&by=month`)} download>
          {t('csvByMonth')}
        </ButtonAnchor>
        <ButtonAnchor variant="secondary" size="small" href={apiAddress(`${csvPath}&by=day`)} download>
          {t('csvByDay')}
        </ButtonAnchor>
      </p>
    </>
  )
}
