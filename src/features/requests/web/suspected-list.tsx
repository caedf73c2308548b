import { suspectedDays, undoMs } from '#src/lib/suspected.ts'
import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { formatDay } from '#src/lib/time/dates.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { locales } from '#src/lib/language/language.ts'
import { callApi } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { CheckIcon, TrashIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { UndoBar } from '#src/ui/components/undo-bar.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { adminRequestTexts, suspectedTexts } from '../admin-texts.ts'
import type { RequestSummary, SuspectedSummary } from '../contract.ts'

type Decision = { id: number; reference: string; what: 'taken' | 'removed'; at: number }
type SuspectedListProps = { rows: RequestSummary[]; summary: SuspectedSummary; canWrite: boolean }

/** « À vérifier »: oldest first; one press decides, and is undone for ten seconds. */
export function SuspectedList({ rows, summary, canWrite }: SuspectedListProps) {
  const t = useTexts(suspectedTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [decision, setDecision] = useState<Decision | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const focusAfter = useRef<number>(undefined)

  useEffect(() => {
    if (focusAfter.current === undefined) return
    const cards = list.current?.querySelectorAll<HTMLElement>('article') ?? []
    const next = cards[Math.min(focusAfter.current, cards.length - 1)] ?? list.current
    focusAfter.current = undefined
    next?.focus()
  }, [rows])

  const decide = (row: RequestSummary, what: Decision['what']) =>
    run(async () => {
      const path = `/api/requests/requests/${row.id_request}`
      await (what === 'taken' ? callApi('PUT', path, { status: 'new' }) : callApi('DELETE', path))
      focusAfter.current = rows.indexOf(row)
      setDecision({ id: row.id_request, reference: row.reference, what, at: Date.now() })
      await revalidate()
    }, {})
  const undo = ({ id, reference }: Decision) =>
    run(
      async () => {
        setDecision(null)
        await callApi('POST', `/api/requests/requests/${id}/undo`)
        await revalidate()
      },
      { done: t('undone', { reference }) },
    )

  const handleKey = (event: React.KeyboardEvent) => {
    const cards = [...(list.current?.querySelectorAll<HTMLElement>('article') ?? [])]
    const index = cards.findIndex((card) => card.contains(document.activeElement))
    const row = rows[index]
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = moves[event.key]
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && decision) void undo(decision)
    else if (event.ctrlKey || event.metaKey || event.altKey) return
    else if (step !== undefined) cards[index + step]?.focus()
    else if (!row || !canWrite || busy) return
    else if (event.key.toLowerCase() === 'd') void decide(row, 'taken')
    else if (event.key === 'Delete') void decide(row, 'removed')
    else return
    event.preventDefault()
  }

  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- shortcuts for what its buttons do */}
      <div ref={list} tabIndex={-1} className="grid gap-5 outline-none" onKeyDown={handleKey}>
        {summary.oldest_at && (
          <div className="flex items-start gap-3">
            <StatusIcon status="WARNING" className="mt-0.5" />
            <div>
              <h2 className="text-xl">
                {t('oldest', { count: summary.count, ago: formatAgo(new Date(summary.oldest_at), new Date(), language) })}
              </h2>
              <p className="text-ink-2">{t('lead')}</p>
            </div>
          </div>
        )}
        <div role="status">
          {decision && (
            <UndoBar
              key={decision.at}
              at={decision.at}
              lengthMs={undoMs}
              describe={(seconds) => t(decision.what, { reference: decision.reference, seconds })}
              label={t('undo')}
              onUndo={() => void undo(decision)}
              onOver={() => setDecision(null)}
            />
          )}
        </div>
        {rows.length === 0 && (
          <EmptyState
            title={t('empty')}
            picture={<StatusIcon status="OK" size={32} />}
            action={
              <ButtonLink to="/admin/demandes" variant="secondary">
                {t('seeRequests')}
              </ButtonLink>
            }
          >
            {t('emptyHint')}
          </EmptyState>
        )}
        {rows.map((row, index) => (
          <SuspectedCard
            key={row.id_request}
            row={row}
            isFirst={index === 0}
            onDecide={canWrite && !busy ? (what) => void decide(row, what) : null}
          />
        ))}
      </div>
      <SuspectedRules summary={summary} />
      <Toast {...toast} />
    </div>
  )
}

type SuspectedCardProps = {
  row: RequestSummary
  isFirst: boolean
  onDecide: ((what: Decision['what']) => void) | null
}

function SuspectedCard({ row, isFirst, onDecide }: SuspectedCardProps) {
  const t = useTexts(suspectedTexts)
  const a = useTexts(adminRequestTexts)
  const language = useLanguage()
  const { message = '', trap = 'honey', known_requests: known = 0, links = 0, copies = 0 } = row.suspicion ?? {}
  return (
    <article
      tabIndex={-1}
      aria-label={row.reference}
      className={`suspected grid rounded-card bg-surface md:grid-cols-[11rem_minmax(0,1fr)] ${isFirst ? 'suspected-first' : ''}`}
    >
      <div className="suspected-stub grid content-start gap-1 px-5 py-4">
        <p className="text-sm text-ink-2">{t('arrived', { ago: formatAgo(new Date(row.created_at), new Date(), language) })}</p>
        <p className="font-bold">
          <time dateTime={row.created_at}>{formatDateTime(row.created_at, language)}</time>
        </p>
        <p className="tabular mt-2 justify-self-start rounded-field border border-dashed border-edge px-2 text-sm whitespace-nowrap">
          {row.reference}
        </p>
      </div>
      <div className="grid gap-4 px-5 py-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h3 className="text-lg wrap-anywhere">
              <bdi>{row.subject || row.name}</bdi>
            </h3>
            <p className="text-sm wrap-anywhere text-ink-2">
              <bdi>{[row.name, row.email, row.phone].filter(Boolean).join(', ')}</bdi>
            </p>
          </div>
          <span className="flex gap-2">
            <Badge tone="neutral">{a(row.kind)}</Badge>
            <Badge>{row.language.toUpperCase()}</Badge>
          </span>
        </div>
        <Message text={message} language={row.language} />
        <div className="grid gap-4 border-t border-line pt-3 text-sm md:grid-cols-2">
          <div>
            <p className="text-ink-2">{t('why')}</p>
            <p className="font-bold">{t(trap)}</p>
            <p className="text-ink-2">{t('whyHint')}</p>
          </div>
          <div>
            <p className="text-ink-2">{t('toDecide')}</p>
            <ul>
              <li>{known > 0 ? t('known', { count: known }) : t('unknown')}</li>
              <li>{links > 0 ? t('links', { count: links }) : t('noLinks')}</li>
              {copies > 0 && <li>{t('copies', { count: copies })}</li>}
            </ul>
          </div>
        </div>
        {onDecide && (
          <div className="flex flex-wrap items-center gap-4">
            <Button variant={isFirst ? 'primary' : 'secondary'} onClick={() => onDecide('taken')}>
              <CheckIcon />
              <span>{t('take')}</span>
            </Button>
            <Button variant="danger" onClick={() => onDecide('removed')}>
              <TrashIcon />
              <span>{t('remove')}</span>
            </Button>
            <span className="text-sm text-ink-2">{t('takeHint')}</span>
          </div>
        )}
      </div>
    </article>
  )
}

const shortText = 240

/** What was written, as text alone: no link of it can be followed. */
function Message({ text, language }: { text: string; language: RequestSummary['language'] }) {
  const paragraph = <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
  if (text.length <= shortText) return <div lang={locales[language]}>{paragraph}</div>
  return (
    <details lang={locales[language]}>
      <summary className="cursor-pointer wrap-anywhere">{`${text.slice(0, shortText)}…`}</summary>
      {paragraph}
    </details>
  )
}

function SuspectedRules({ summary }: { summary: SuspectedSummary }) {
  const t = useTexts(suspectedTexts)
  const language = useLanguage()
  const keys = [
    ['↓ ↑', t('keyMove')],
    ['D', t('keyTake')],
    [t('keyDelete'), t('keyRemove')],
    ['Ctrl + Z', t('keyUndo')],
  ]
  return (
    <aside className="grid gap-5">
      <section className="card grid gap-3 p-5 text-sm">
        <h2 className="text-lg">{t('rulesTitle')}</h2>
        <p>{t('rule1')}</p>
        <p>{t('rule2')}</p>
        <p>{t('rule3', { days: suspectedDays })}</p>
        {summary.not_stored.map(({ day, count }) => (
          <p key={day} className="border-t-2 border-dashed border-line pt-3">
            {t('notStored', { count, day: formatDay(day, language) })}
          </p>
        ))}
      </section>
      <section className="card hidden gap-2 p-5 text-sm lg:grid">
        <h2 className="text-lg">{t('keysTitle')}</h2>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
          {keys.map(([key, does]) => (
            <div key={key} className="contents">
              <dt className="rounded-field border border-edge px-2 text-center font-bold">{key}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </section>
    </aside>
  )
}
