import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { buttonTexts } from '#src/features/content/texts.ts'
import { locales } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Table } from '#src/ui/components/table.tsx'
import type { Incident } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import type { Route } from './+types/incidents-page.ts'

export async function clientLoader() {
  return { incidents: await getJson<Incident[]>('/api/privacy/incidents') }
}

export default function IncidentsPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(privacyTexts)
  const a = useTexts(buttonTexts)
  const { incidents } = loaderData
  // A date without a time is the same in every zone.
  const days = new Intl.DateTimeFormat(locales[useLanguage()], { dateStyle: 'medium', timeZone: 'UTC' })
  const dayOf = (incident: Incident) => days.format(new Date(incident.discovered_on))
  const create = <ButtonLink to="/admin/incident_nouveau">{a('add')}</ButtonLink>
  return (
    <>
      <AdminHead title={t('incidentsTitle')} backTo="/admin/privacy" actions={create} />
      <p className="mb-6 text-ink-2">{t('intro')}</p>
      {incidents.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
      ) : (
        <Table
          caption={t('incidentsTitle')}
          rows={incidents}
          rowKey={(incident) => incident.id_incident}
          columns={[
            { header: t('discoveredOn'), cell: (incident) => dayOf(incident), isRowHeader: true },
            { header: t('information'), cell: (incident) => incident.information },
            { header: t('peopleCount'), cell: (incident) => incident.people_count ?? '' },
            {
              header: t('risk'),
              cell: ({ serious_risk: serious }) => (
                <Badge tone={serious ? 'err' : 'neutral'}>{t(serious ? 'serious' : 'notSerious')}</Badge>
              ),
            },
          ]}
          actions={{
            header: t('edit'),
            cell: (incident) => (
              <ButtonLink
                variant="secondary"
                size="small"
                to={`/admin/incident_edit/${incident.id_incident}`}
                aria-label={`${t('edit')} ${dayOf(incident)}`}
              >
                {t('edit')}
              </ButtonLink>
            ),
          }}
        />
      )}
    </>
  )
}
