import { useTexts } from '#src/ui/language.tsx'
import type { VisitFigures } from '../contract.ts'
import { visitTexts } from '../texts.ts'
import type { VisitField } from '../values.ts'
import { useNumbers } from './numbers.ts'

type Props = { days: VisitFigures[]; before: VisitFigures[] | null }

const totalOf = (rows: readonly VisitFigures[], field: VisitField) => rows.reduce((total, row) => total + row[field], 0)

/** The four figures of the period, each with that of the period before. */
export function VisitTotals(props: Props) {
  return (
    <dl className="card visit-totals">
      <Total field="visits" {...props} />
      <Total field="views" {...props} />
      <Pair sent="forms" label="formsShort" outOf="sentOf" {...props} />
      <Pair sent="chats" label="chatsShort" outOf="sentOfChats" {...props} />
    </dl>
  )
}

function Total({ field, days, before }: Props & { field: 'visits' | 'views' }) {
  const t = useTexts(visitTexts)
  const { number, change } = useNumbers()
  const now = totalOf(days, field)
  const former = before && totalOf(before, field)
  const difference = former === null ? null : change(now, former)
  return (
    <div>
      <dt>{t(field)}</dt>
      <dd>
        <span className="tabular text-3xl font-extrabold">{number(now)}</span>{' '}
        {difference && <span className="tabular font-bold">{difference}</span>}
      </dd>
      {former !== null && <dd className="text-sm text-ink-2">{t('before', { count: former })}</dd>}
    </div>
  )
}

type PairProps = Props & { sent: 'forms' | 'chats'; label: 'formsShort' | 'chatsShort'; outOf: 'sentOf' | 'sentOfChats' }

/** What was sent of what was begun: full and dashed. */
function Pair({ sent, label, outOf, days, before }: PairProps) {
  const t = useTexts(visitTexts)
  const { number } = useNumbers()
  const [now, begun] = [totalOf(days, sent), totalOf(days, `${sent}_begun`)]
  return (
    <div>
      <dt>{t(label)}</dt>
      <dd>
        <span className="tabular text-3xl font-extrabold">{number(now)}</span>{' '}
        <span>{t(outOf, { count: now, begun: number(begun), begunCount: begun })}</span>
        <span className="visit-meter" aria-hidden="true">
          <span style={{ width: `${begun === 0 ? 0 : (100 * now) / begun}%` }} />
        </span>
      </dd>
      {before && (
        <dd className="text-sm text-ink-2">
          {t('beforeOf', { count: totalOf(before, sent), begun: number(totalOf(before, `${sent}_begun`)) })}
        </dd>
      )}
    </div>
  )
}
