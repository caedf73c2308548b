import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Table } from '#src/ui/components/table.tsx'
import type { RetentionPeriod } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import type { Route } from './+types/privacy-page.ts'
import { kindName } from './kind-name.ts'
import { PersonData } from './person-data.tsx'

export async function clientLoader() {
  return { periods: await getJson<RetentionPeriod[]>('/api/privacy/retention') }
}

/** A person's data, and how long each kind is kept. */
export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(privacyTexts)
  return (
    <>
      <AdminHead
        title={t('title')}
        backTo="/admin/panel"
        actions={<ButtonLink to="/admin/incidents">{t('incidentsTitle')}</ButtonLink>}
      />
      <div className="grid max-w-4xl gap-10">
        <PersonData />
        <section className="grid gap-4">
          <h2 className="text-xl">{t('retentionTitle')}</h2>
          <p className="text-ink-2">{t('retentionIntro')}</p>
          <Table
            caption={t('retentionTitle')}
            rows={loaderData.periods}
            rowKey={(period) => period.kind}
            columns={[
              { header: t('kind'), cell: (period) => kindName(t, period.kind), isRowHeader: true },
              { header: t('period'), cell: (period) => t(period.unit, { count: period.count }) },
            ]}
          />
        </section>
      </div>
    </>
  )
}
