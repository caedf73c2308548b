import type { ReactNode } from 'react'
import { pageNames } from '#src/features/content/page-names.ts'
import { useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import type { Column } from '#src/ui/components/table.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { VisitFigures } from '../contract.ts'
import { visitTexts } from '../texts.ts'
import type { VisitKind } from '../values.ts'
import { otherKey } from '../values.ts'
import type { Figures } from './admin-visits-page.tsx'
import { useNumbers } from './numbers.ts'

const firstRows = 6

/** Pages, sources, campaigns and languages, each beside the period before. */
export function VisitTables({ now, former }: { now: Figures; former: Figures | null }) {
  const t = useTexts(visitTexts)
  return (
    <>
      <VisitTable kind="page" title={t('pages')} rows={now.page} before={former?.page ?? null} />
      <VisitTable
        kind="referrer"
        title={t('sources')}
        hint={t('sourcesHint')}
        rows={now.referrer}
        before={former?.referrer ?? null}
      />
      <VisitTable kind="campaign" title={t('campaigns')} rows={now.campaign} before={former?.campaign ?? null} />
      <div className="grid gap-6 xl:grid-cols-2">
        <VisitTable kind="language" title={t('languages')} rows={now.language} before={former?.language ?? null} />
        <VisitTable kind="screen" title={t('screens')} rows={now.screen} before={former?.screen ?? null} />
      </div>
    </>
  )
}

type TableProps = { kind: VisitKind; title: string; hint?: string; rows: VisitFigures[]; before: VisitFigures[] | null }

function VisitTable({ kind, title, hint, rows, before }: TableProps) {
  const t = useTexts(visitTexts)
  const [isWhole, setWhole] = useState(false)
  const { number, percent } = useNumbers()
  const field = kind === 'page' ? 'views' : 'visits'
  const sorted = rows.toSorted((a, b) => Number(a.key === otherKey) - Number(b.key === otherKey) || b[field] - a[field])
  const most = Math.max(1, ...sorted.map((row) => row[field]))
  const all = sorted.reduce((total, row) => total + row[field], 0)
  const former = new Map(before?.map((row) => [row.key, row]))
  const nameOf = useKeyNames(kind)
  const isShare = kind === 'language' || kind === 'screen'
  const columns: Column<VisitFigures>[] = [
    {
      header: t(kind),
      isRowHeader: true,
      cell: (row) => (
        <>
          <span>{nameOf(row)}</span>
          <span className="visit-bar" aria-hidden="true" style={{ width: `${(100 * row[field]) / most}%` }} />
        </>
      ),
    },
    {
      header: t(field),
      cell: (row) => {
        const share = isShare ? percent(row[field], all) : null
        return (
          <>
            <strong className="tabular">{number(row[field])}</strong>
            {share && <span className="tabular text-ink-2">{` ${share}`}</span>}
          </>
        )
      },
    },
    ...(before
      ? [
          {
            header: t('beforeColumn'),
            cell: (row: VisitFigures) => {
              const then = former.get(row.key)?.[field] ?? 0
              return <span className="tabular text-ink-2">{then === 0 ? t('isNew') : number(then)}</span>
            },
          },
        ]
      : []),
    { header: t('formsColumn'), cell: (row) => <OutOf sent={row.forms} begun={row.forms_begun} /> },
    { header: t('chatsColumn'), cell: (row) => <OutOf sent={row.chats} begun={row.chats_begun} /> },
  ]
  return (
    <section className="grid content-start gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-xl">{title}</h2>
        {hint && <p className="text-sm text-ink-2">{hint}</p>}
        {sorted.length > firstRows && (
          <Button variant="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('fewer') : t('all', { count: sorted.length })}
          </Button>
        )}
      </div>
      {sorted.length > 0 ? (
        <Table caption={title} rows={isWhole ? sorted : sorted.slice(0, firstRows)} rowKey={({ key }) => key} columns={columns} />
      ) : (
        <p className="text-ink-2">{t('noRows')}</p>
      )}
    </section>
  )
}

function OutOf({ sent, begun }: { sent: number; begun: number }) {
  const t = useTexts(visitTexts)
  const { number } = useNumbers()
  if (begun === 0) return <span>{t('none')}</span>
  return <span className="tabular whitespace-nowrap">{t('outOf', { count: sent, begun: number(begun) })}</span>
}

/** What stands for a key: the title of a page, a word for none and for the rest. */
function useKeyNames(kind: VisitKind): (row: VisitFigures) => ReactNode {
  const t = useTexts(visitTexts)
  const language = useLanguage()
  return ({ key, title }) => {
    if (key === otherKey) return t('others')
    if (kind === 'referrer' && key === '') return t('direct')
    if (kind === 'campaign' && key === '') return t('noCampaign')
    if (kind === 'language') return key === 'en' ? t('en') : t('fr')
    if (kind === 'screen') return key === 'small' ? t('small') : t('large')
    if (kind !== 'page') return <span className="break-words">{key}</span>
    const name = title ? title[language] || title.fr : (pageNames[key]?.[language] ?? key)
    return (
      <a href={key} className="break-words">
        {name}
      </a>
    )
  }
}
