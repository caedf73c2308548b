import { useNavigate } from 'react-router'
import { company } from '#company/company.ts'
import { useRights } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { buttonTexts } from '#src/features/content/texts.ts'
import { dayIn, formatDay } from '#src/lib/time/dates.ts'
import { hasRight } from '#src/lib/rights.ts'
import { getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import type { Demand } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import type { Route } from './+types/demands-page.ts'
import { RegisterActions } from './register-actions.tsx'

export async function clientLoader() {
  return { demands: await getJson<Demand[]>('/api/privacy/demands') }
}

const editPath = (demand: Demand) => `/admin/registre_edit/${demand.id_demand}`

/** What people asked about their information, and until when each must be answered. */
export default function DemandsPage({ loaderData: { demands } }: Route.ComponentProps) {
  const t = useTexts(privacyTexts)
  const a = useTexts(buttonTexts)
  const navigate = useNavigate()
  const language = useLanguage()
  const canWrite = hasRight(useRights(), 'privacy', 'read_write')
  return (
    <>
      <AdminHead
        title={t('demandsTitle')}
        backTo="/admin/privacy"
        actions={
          <>
            {demands.length > 0 && <RegisterActions register="demands" />}
            {canWrite && <ButtonLink to="/admin/registre_nouveau">{a('add')}</ButtonLink>}
          </>
        }
      />
      <p className="mb-6 text-ink-2">{t('demandsIntro')}</p>
      {demands.length === 0 ? (
        <EmptyState title={t('demandsEmpty')}>{t('demandsEmptyHint')}</EmptyState>
      ) : (
        <Table
          caption={t('demandsTitle')}
          rows={demands}
          rowKey={(demand) => demand.id_demand}
          onOpen={(demand) => void navigate(editPath(demand))}
          columns={[
            { header: t('receivedOn'), cell: (demand) => <Moment at={demand.received_on} />, isRowHeader: true },
            { header: t('demandKind'), cell: (demand) => t(demand.kind) },
            { header: t('dueOn'), cell: (demand) => <Moment at={demand.due_on} /> },
            { header: t('demandState'), cell: (demand) => <State demand={demand} /> },
            { header: t('outcome'), isText: true, cell: (demand) => demand.outcome },
          ]}
          actions={{
            header: t('edit'),
            cell: (demand) => (
              <ButtonLink
                variant="secondary"
                size="small"
                to={editPath(demand)}
                aria-label={`${t('edit')} ${t(demand.kind)}, ${formatDay(demand.received_on, language)}`}
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

function State({ demand: { answered_on: answered, due_on: due } }: { demand: Demand }) {
  const t = useTexts(privacyTexts)
  if (answered) return <Badge tone="ok">{t('answered')}</Badge>
  const isLate = due < dayIn(company.hours.timeZone, new Date())
  return <Badge tone={isLate ? 'err' : 'neutral'}>{t(isLate ? 'overdue' : 'waiting')}</Badge>
}
