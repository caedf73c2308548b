import { useNavigate } from 'react-router'
import { useRights } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { buttonTexts } from '#src/features/content/texts.ts'
import { formatDay } from '#src/lib/time/dates.ts'
import { hasRight } from '#src/lib/rights.ts'
import { getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import type { Incident } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import type { Route } from './+types/incidents-page.ts'
import { RegisterActions } from './register-actions.tsx'

export async function clientLoader() {
  return { incidents: await getJson<Incident[]>('/api/privacy/incidents') }
}

const editPath = (incident: Incident) => `/admin/incident_edit/${incident.id_incident}`

export default function IncidentsPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(privacyTexts)
  const a = useTexts(buttonTexts)
  const { incidents } = loaderData
  const navigate = useNavigate()
  const language = useLanguage()
  const create = hasRight(useRights(), 'privacy', 'read_write') && (
    <ButtonLink to="/admin/incident_nouveau">{a('add')}</ButtonLink>
  )
  return (
    <>
      <AdminHead
        title={t('incidentsTitle')}
        backTo="/admin/privacy"
        actions={
          <>
            {incidents.length > 0 && <RegisterActions register="incidents" />}
            {create}
          </>
        }
      />
      <p className="mb-6 text-ink-2">{t('intro')}</p>
      {incidents.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
      ) : (
        <Table
          caption={t('incidentsTitle')}
          rows={incidents}
          rowKey={(incident) => incident.id_incident}
          onOpen={(incident) => void navigate(editPath(incident))}
          columns={[
            { header: t('discoveredOn'), cell: (incident) => <Moment at={incident.discovered_on} />, isRowHeader: true },
            { header: t('information'), isText: true, cell: (incident) => incident.information },
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
                to={editPath(incident)}
                aria-label={`${t('edit')} ${formatDay(incident.discovered_on, language)}`}
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
