import { formatDay } from '#src/lib/dates.ts'
import { locales } from '#src/lib/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Column } from '#src/ui/table.tsx'
import { Table } from '#src/ui/table.tsx'
import type { ChatCounts, ChatFigures } from '../../figures-contract.ts'
import { figuresTexts } from '../../figures-texts.ts'

/** The figures as tables: the sum and each technician, then each day, the newest first. */
export function FiguresTables({ figures: { total, days, technicians } }: { figures: ChatFigures }) {
  const t = useTexts(figuresTexts)
  const language = useLanguage()
  const columns = useColumns()
  const people = [{ name: t('total'), ...total }, ...technicians.map((one) => ({ name: one.user_name, ...one }))]
  return (
    <>
      <section className="grid gap-3">
        <h2 className="text-xl">{t('byTechnician')}</h2>
        <Table
          caption={t('byTechnician')}
          rows={people}
          rowKey={(row) => ('id_user' in row ? row.id_user : 'total')}
          columns={[{ header: t('technician'), isRowHeader: true, cell: (row) => row.name }, ...columns]}
        />
        {technicians.length === 0 && <p className="text-ink-2">{t('noTechnician')}</p>}
      </section>
      <section className="grid gap-3">
        <h2 className="text-xl">{t('byDay')}</h2>
        <Table
          caption={t('byDay')}
          rows={days.filter(({ chats }) => chats > 0).toReversed()}
          rowKey={(row) => row.day}
          columns={[
            {
              header: t('day'),
              isRowHeader: true,
              cell: (row) => (
                <time dateTime={row.day} className="whitespace-nowrap">
                  {formatDay(row.day, language)}
                </time>
              ),
            },
            ...columns,
          ]}
        />
      </section>
    </>
  )
}

function useColumns(): Column<ChatCounts>[] {
  const t = useTexts(figuresTexts)
  const language = useLanguage()
  const format = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 1 })
  const number = (value: number | null) => {
    if (value !== null) return <span className="tabular">{format.format(value)}</span>
    return (
      <>
        <span aria-hidden="true">{t('none')}</span>
        <span className="sr-only">{t('noMeasure')}</span>
      </>
    )
  }
  return [
    { header: t('chats'), cell: (row) => number(row.chats) },
    { header: t('missed'), cell: (row) => number(row.missed) },
    { header: t('answerMedian'), cell: (row) => number(row.answer_median) },
    { header: t('answerP90'), cell: (row) => number(row.answer_p90) },
    { header: t('resolutionMedian'), cell: (row) => number(row.resolution_median) },
    { header: t('resolutionP90'), cell: (row) => number(row.resolution_p90) },
    {
      header: t('rating'),
      cell: (row) =>
        row.rating === null ? number(null) : t('ratingOf', { rating: format.format(row.rating), count: row.ratings }),
    },
  ]
}
