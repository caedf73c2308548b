import { Card } from '#src/ui/components/card.tsx'
import { apiAddress } from '#src/ui/hosts.ts'
import { Moment } from '#src/ui/components/moment.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { FormerJournal } from '../contract.ts'
import { texts } from '../texts.ts'

/** Closed audit logs that came with an export, to read in a spreadsheet. */
export function FormerJournals({ journals }: { journals: readonly FormerJournal[] }) {
  const t = useTexts(texts)
  return (
    <Card className="mt-6 p-5">
      <h2 className="mb-2 text-lg">{t('formerTitle')}</h2>
      <p className="mb-4">{t('formerHint')}</p>
      <ul className="grid gap-2">
        {journals.map(({ id_journal: id, lines, imported_at: at }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3">
            <Moment at={at} />
            <span>{t('count', { count: lines })}</span>
            <a className="link" href={apiAddress(`/api/audit/former/${id}/entries.csv`)} download>
              {t('formerFile')}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
