import type { Officer } from '#src/features/company/contract.ts'
import { useRights } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { hasRight } from '#src/lib/rights.ts'
import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Disclosure } from '#src/ui/components/card.tsx'
import type { RetentionPeriod, TableEnding } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import { OfficerSection } from './officer-section.tsx'
import { PersonSection } from './person-section.tsx'
import { PeriodsSection } from './periods-section.tsx'
import type { Route } from './+types/privacy-page.ts'

export async function clientLoader() {
  const [officer, periods, tables] = await Promise.all([
    getJson<Officer>('/api/privacy/officer'),
    getJson<RetentionPeriod[]>('/api/privacy/retention'),
    getJson<TableEnding[]>('/api/privacy/tables'),
  ])
  return { officer, periods, tables }
}

/** Personal data of one person, and the retention periods. */
export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(privacyTexts)
  const language = useLanguage()
  const canSearch = hasRight(useRights(), 'privacy', 'read_write')
  return (
    <>
      <AdminHead
        title={t('title')}
        backTo="/admin/panel"
        actions={
          <>
            <ButtonLink variant="secondary" to="/admin/registre">
              {t('demandsTitle')}
            </ButtonLink>
            <ButtonLink variant="secondary" to="/admin/incidents">
              {t('incidentsTitle')}
            </ButtonLink>
          </>
        }
      />
      <div className="grid max-w-4xl gap-10">
        {canSearch && <PersonSection />}
        <OfficerSection officer={loaderData.officer} />
        <PeriodsSection periods={loaderData.periods} />
        <section>
          <Disclosure title={t('otherTitle')}>
            <Table
              caption={t('otherTitle')}
              rows={loaderData.tables.filter(({ kind }) => kind === null)}
              rowKey={({ label }) => label.fr}
              columns={[
                { header: t('kind'), cell: ({ label }) => label[language], isRowHeader: true },
                {
                  header: t('endHeader'),
                  cell: ({ days, reason }) => (days === null ? reason?.[language] : t('days', { count: days })),
                },
              ]}
            />
          </Disclosure>
        </section>
      </div>
    </>
  )
}
