import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { RequestDetail, RequestSummary } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import { StatusBadge } from './request-badges.tsx'

const path = '/api/requests/requests'

/** A merge of a moment ago, which a press undoes. */
export type Merged = { from: { id: number; reference: string }; into: { id: number; reference: string }; at: number }

type MergeDialogProps = {
  request: RequestDetail
  /** The other request, where it is known. */
  otherId: number | null
  onClose: () => void
  onMerged: (merged: Merged) => void
  onLinked: () => void
}

/** Two requests side by side: one number is chosen to stay. */
export function MergeDialog({ request, otherId, onClose, onMerged, onLinked }: MergeDialogProps) {
  const t = useTexts(requestThreadTexts)
  const f = useTexts(failureTexts)
  const [other, setOther] = useState<RequestDetail | null>(null)
  const [keepsOther, setKeepsOther] = useState(false)
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)

  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError('')
    try {
      await work()
    } catch (failure) {
      console.warn(failure)
      setError(f(failureOf(failure)))
    } finally {
      setBusy(false)
    }
  }
  const load = async (id: number) => setOther(await getJson<RequestDetail>(`${path}/${id}`))
  useEffect(() => {
    if (otherId !== null) void run(() => load(otherId))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each request that is compared
  }, [otherId])

  const handleFind = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const number = String(new FormData(event.currentTarget).get('number') ?? '')
      .trim()
      .toUpperCase()
    if (!number || busy) return
    void run(async () => {
      if (number === request.reference) return setError(t('sameNumber'))
      const found = await getJson<RequestSummary[]>(`${path}?search=${encodeURIComponent(number)}`)
      // A search of a merged number finds the request that it leads to.
      const match = found.find(({ reference }) => reference === number) ?? (found.length === 1 ? found[0] : undefined)
      if (!match || match.id_request === request.id_request) return setError(t(match ? 'sameNumber' : 'noSuchNumber'))
      await load(match.id_request)
    })
  }
  const [kept, former] = keepsOther && other ? [other, request] : [request, other]
  const handleMerge = () =>
    run(async () => {
      if (!former) return
      await callApi('POST', `${path}/${former.id_request}/merge`, { into: kept.id_request })
      const idOf = ({ id_request: id, reference }: RequestDetail) => ({ id, reference })
      onMerged({ from: idOf(former), into: idOf(kept), at: Date.now() })
    })
  const handleLink = () =>
    run(async () => {
      if (!other) return
      await callApi('POST', `${path}/${request.id_request}/link`, { to: other.id_request })
      onLinked()
    })

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('mergeTitle')}
      actions={
        <>
          <Button variant="secondary" size="small" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            {t('cancel')}
          </Button>
          {other && (
            <>
              <Button variant="secondary" size="small" busy={busy} onClick={() => void handleLink()}>
                {t('linkOnly')}
              </Button>
              <Button size="small" busy={busy} onClick={() => void handleMerge()}>
                {t('mergeInto', { reference: kept.reference })}
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="grid gap-5">
        <p className="text-ink-2">{t('mergeExplain')}</p>
        {!other && otherId === null && (
          <form onSubmit={handleFind} className="flex flex-wrap items-end gap-4">
            <TextField
              label={t('otherNumber')}
              name="number"
              required
              autoComplete="off"
              placeholder="AS-2026-000123"
              className="grow sm:max-w-sm"
            />
            <Button type="submit" variant="secondary" busy={busy}>
              {t('findOther')}
            </Button>
          </form>
        )}
        <div role="alert" className="empty:hidden">
          {error && <p className="font-bold text-err">{error}</p>}
        </div>
        {other && (
          <fieldset className="grid gap-4 md:grid-cols-2">
            <legend className="sr-only">{t('mergeTitle')}</legend>
            {[request, other].map((one) => (
              <Side key={one.id_request} request={one} isKept={one === kept} onKeep={() => setKeepsOther(one === other)} />
            ))}
          </fieldset>
        )}
        {other && other.email.toLowerCase() !== request.email.toLowerCase() && (
          <p className="rounded-card bg-warn-soft px-4 py-2 font-bold wrap-anywhere text-warn">
            {t('mergePeople', { email: kept.email })}
          </p>
        )}
      </div>
    </Dialog>
  )
}

const excerptLength = 400

function Side({ request, isKept, onKeep }: { request: RequestDetail; isKept: boolean; onKeep: () => void }) {
  const t = useTexts(requestThreadTexts)
  const language = useLanguage()
  const written = request.entries.filter(({ kind }) => kind === 'customer' || kind === 'staff')
  const text = request.message.length > excerptLength ? `${request.message.slice(0, excerptLength)}…` : request.message
  return (
    <div
      className={`grid content-start gap-3 rounded-card border-2 p-4 ${isKept ? 'border-brand bg-brand-soft' : 'border-line'}`}
    >
      <label className="flex cursor-pointer items-center gap-3 text-lg font-bold">
        <input type="radio" name="kept" checked={isKept} onChange={onKeep} className="size-5" />
        <span className="tabular">{t('keepNumber', { reference: request.reference })}</span>
      </label>
      <p className="flex flex-wrap items-center gap-3 font-bold wrap-anywhere">
        <bdi>{request.subject}</bdi>
        <StatusBadge status={request.status} />
      </p>
      <p className="text-sm wrap-anywhere text-ink-2">
        <bdi>{request.name}</bdi> <span>{`(${request.email})`}</span>
        <br />
        <span>{`${t('arrived')} `}</span>
        <time dateTime={request.created_at}>{formatDateTime(request.created_at, language)}</time>
        <span>{`, ${t('messageCount', { count: written.length })}`}</span>
      </p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
    </div>
  )
}

const undoSeconds = 60

/** For a minute after a merge; later it is undone where it is listed. */
export function MergeBar({ merged, busy, onUndo }: { merged: Merged; busy: boolean; onUndo: () => void }) {
  const t = useTexts(requestThreadTexts)
  const secondsLeft = () => undoSeconds - Math.floor((Date.now() - merged.at) / 1_000)
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsLeft()), 1_000)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the time of the merge is all it depends on
  }, [merged.at])
  if (seconds <= 0) return null
  return (
    <div className="mb-5 flex flex-wrap items-center gap-4 rounded-card bg-lamp px-5 py-3 text-on-lamp print:hidden">
      <span>{t('mergedBar', { from: merged.from.reference, into: merged.into.reference })}</span>
      <Button variant="secondary" size="small" disabled={busy} onClick={onUndo}>
        {t('undoIn', { seconds })}
      </Button>
    </div>
  )
}
