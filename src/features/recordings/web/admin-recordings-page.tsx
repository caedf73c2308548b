import type { FormEvent } from 'react'
import { useState } from 'react'
import { useNavigation, useRevalidator, useSearchParams } from 'react-router'
import { company } from '#company/company.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { locales } from '#src/lib/language/language.ts'
import type { Level } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { callApi, getJson, ApiError } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { UploadIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { TextField, Field } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import type { Upload } from '#src/ui/uploads/upload.ts'
import { appendFile, createUpload, isStopped } from '#src/ui/uploads/upload.ts'
import { CloseQuestion } from '#src/ui/uploads/close-question.tsx'
import { UploadBar } from '#src/ui/uploads/upload-bar.tsx'
import { uploadTexts } from '#src/ui/uploads/upload-texts.ts'
import { useUpload } from '#src/ui/uploads/use-upload.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import type { Recording, RecordingSettings } from '../contract.ts'
import { recordingTexts } from '../texts.ts'
import type { RefusalReason } from '../values.ts'
import { countedMost, recordingsPerPage, refusalReasons, uploadExtensions, uploadMaxBytes } from '../values.ts'
import type { Route } from './+types/admin-recordings-page.ts'
import { RecordingPlayer } from './recording-player.tsx'
import { RecordingTable } from './recording-table.tsx'

const path = '/api/recordings/recordings'

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = new URL(request.url).searchParams
  const [from, to] = [query.get('from'), query.get('to')]
  const settings = await getJson<RecordingSettings>('/api/recordings/settings')
  if (from && to && from > to) return { rows: [], total: 0, settings, isWrong: true }
  const { rows, total } = await getPage(`${path}${listQuery(query)}`)
  return { rows: rows as Recording[], total, settings, isWrong: false }
}

/** `/admin/recordings`: the calls of the telecom service, newest first. */
export default function AdminRecordingsPage({ loaderData: { rows, total, settings, isWrong } }: Route.ComponentProps) {
  const t = useTexts(recordingTexts)
  const language = useLanguage()
  const { rights } = useProfile()
  const { state } = useNavigation()
  const { revalidate } = useRevalidator()
  const [query] = useSearchParams()
  const [playing, setPlaying] = useState<Recording | null>(null)
  const [removing, setRemoving] = useState<Recording | null>(null)
  const [imports, setImports] = useState(false)
  const { busy, run, toast } = useAction()
  const mayWith = (level: Level) => hasRight(rights, 'recordings', level)
  const may = {
    play: mayWith(settings.play),
    download: mayWith(settings.download),
    hold: mayWith('read_write'),
    delete: mayWith(settings.delete),
  }
  const callOf = ({ date }: Recording) => formatDateTime(date, language, { timeZone: company.hours.timeZone })
  const isFiltered = listQuery(query, { page: '' }) !== ''

  const change = async (work: () => Promise<unknown>, done: string) => {
    await run(work, { done })
    setRemoving(null)
    await revalidate()
  }
  const hold = ({ id_recording: id }: Recording, on_hold: boolean) =>
    change(() => callApi('PUT', `${path}/${id}/hold`, { on_hold }), t(on_hold ? 'heldNotice' : 'releasedNotice'))
  const remove = ({ id_recording: id }: Recording) => {
    if (playing?.id_recording === id) setPlaying(null)
    return change(() => callApi('DELETE', `${path}/${id}`), t('removed'))
  }
  const numbers = new Intl.NumberFormat(locales[language])
  const isCounted = total < countedMost

  return (
    <>
      <AdminHead
        title={t('title')}
        subtitle={t(isCounted ? 'count' : 'countMost', { count: isCounted ? total : numbers.format(total) })}
        backTo="/admin/panel"
        actions={<HeadActions mayWith={mayWith} onImport={() => setImports(true)} />}
      />
      <RecordingFilter isWrong={isWrong} />
      <LoadingOverlay busy={state === 'loading' || busy}>
        {rows.length === 0 ? (
          <EmptyState title={t(isFiltered ? 'noMatch' : 'empty')}>{t(isFiltered ? 'noMatchHint' : 'emptyHint')}</EmptyState>
        ) : (
          <div className="grid gap-6">
            <RecordingTable
              rows={rows}
              may={may}
              callOf={callOf}
              openId={playing?.id_recording ?? null}
              onPlay={(row) => setPlaying(playing?.id_recording === row.id_recording ? null : row)}
              onHold={(row, onHold) => void hold(row, onHold)}
              onRemove={setRemoving}
            />
            <Pagination
              page={Number(query.get('page') ?? 1)}
              count={Math.ceil(total / recordingsPerPage)}
              to={(page) => `/admin/recordings${listQuery(query, { page })}`}
            />
          </div>
        )}
      </LoadingOverlay>
      {playing && (
        <RecordingPlayer key={playing.id_recording} recording={playing} call={callOf(playing)} onClose={() => setPlaying(null)} />
      )}
      <RecordingImport open={imports} onClose={() => setImports(false)} onImported={() => void revalidate()} />
      <ConfirmDialog
        open={removing !== null}
        title={removing ? t('playing', { call: callOf(removing) }) : undefined}
        consequence="final"
        confirmLabel={t('removeLabel')}
        busy={busy}
        onCancel={() => setRemoving(null)}
        onConfirm={() => removing && void remove(removing)}
      />
      <Toast {...toast} />
    </>
  )
}

type HeadActionsProps = { mayWith: (level: Level) => boolean; onImport: () => void }

function HeadActions({ mayWith, onImport }: HeadActionsProps) {
  const t = useTexts(recordingTexts)
  return (
    <>
      {mayWith('administrator') && (
        <ButtonLink variant="secondary" to="/admin/recordings/settings">
          {t('settings')}
        </ButtonLink>
      )}
      {mayWith('read_write') && (
        <Button onClick={onImport}>
          <UploadIcon />
          <span>{t('import')}</span>
        </Button>
      )}
    </>
  )
}

/** From, To and Search. */
function RecordingFilter({ isWrong }: { isWrong: boolean }) {
  const t = useTexts(recordingTexts)
  const { query, valueOf, isFiltered } = useFilter(['from', 'to', 'search'])
  return (
    <FilterForm className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-[1fr_1fr_2fr_auto]">
        <TextField label={t('from')} type="date" name="from" defaultValue={valueOf('from')} />
        <TextField label={t('to')} type="date" name="to" defaultValue={valueOf('to')} error={isWrong ? t('periodWrong') : null} />
        <SearchField label={t('search')} placeholder={t('searchHint')} value={valueOf('search')} />
        <div className="flex flex-wrap items-center gap-4 self-end">
          <FilterButton>{t('filter')}</FilterButton>
        </div>
      </div>
      <nav aria-label={t('periods')} className="flex flex-wrap items-center gap-x-5 gap-y-2">
        {periodNames.map((name) => {
          const days = periodDays(name, company.hours.timeZone, new Date())
          const isShown = valueOf('from') === days.from && valueOf('to') === days.to
          return (
            <Link
              key={name}
              to={listQuery(query, { ...days, page: '' })}
              aria-current={isShown ? 'true' : undefined}
              className={`py-0.5 text-brand underline underline-offset-2 ${isShown ? 'font-bold' : ''}`}
            >
              {t(name)}
            </Link>
          )
        })}
        {isFiltered && <ClearFilter to="/admin/recordings">{t('clear')}</ClearFilter>}
      </nav>
    </FilterForm>
  )
}

const periodNames = ['today', 'week', 'lastMonth'] as const
type Period = (typeof periodNames)[number]

/** First and last day of a period in a time zone; weeks begin on Monday. */
export function periodDays(name: Period, timeZone: string, now: Date) {
  const today = dayIn(timeZone, now)
  if (name === 'today') return { from: today, to: today }
  const day = new Date(`${today}T00:00:00Z`)
  if (name === 'week') {
    day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
    return { from: dayOf(day), to: today }
  }
  day.setUTCDate(0)
  const to = dayOf(day)
  return { from: `${to.slice(0, 8)}01`, to }
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

const names = ['from', 'to', 'search', 'page']

/** The query of the page and of the API; empty parameters are left out. */
function listQuery(query: URLSearchParams, changes: Record<string, string | number> = {}) {
  const next = new URLSearchParams()
  for (const name of names) {
    const value = String(changes[name] ?? query.get(name) ?? '').trim()
    if (value) next.set(name, value)
  }
  return next.size > 0 ? `?${next.toString()}` : ''
}

type State = 'waiting' | 'sending' | 'stopped' | 'imported' | RefusalReason | ReturnType<typeof failureOf>
type Row = { file: File; state: State; upload: Upload }

type RecordingImportProps = { open: boolean; onClose: () => void; onImported: () => void }

/** These may go well the next time; another refusal would be the same. */
const triableStates = new Set<State>([
  'waiting',
  'stopped',
  'unreachable',
  'signedOut',
  'limited',
  'diskFull',
  'conflict',
  'broken',
])
const isTriable = ({ state }: Row) => triableStates.has(state)

/** Uploads the chosen files one after the other, each with its sidecar, and shows each outcome. */
function RecordingImport({ open, onClose, onImported }: RecordingImportProps) {
  const t = useTexts(recordingTexts)
  const u = useTexts(uploadTexts)
  const f = useTexts(failureTexts)
  const [rows, setRows] = useState<Row[]>([])
  const { progress, run, stop } = useUpload()
  const [isClosing, setClosing] = useState(false)
  const busy = progress !== null
  const isDone = rows.length > 0 && !busy && !rows.some(isTriable)
  const isBegun = rows.some(({ state }) => state !== 'waiting')
  const setStatus = (file: File, state: State) =>
    setRows((all) => all.map((row) => (row.file === file ? { ...row, state } : row)))

  const choose = (list: FileList | null) => {
    for (const { upload } of rows) upload.discard()
    const files = [...(list ?? [])]
    const notes = files.filter(isNote)
    const sounds = files.filter((file) => !isNote(file))
    setRows(
      sounds.map((file) => ({ file, state: file.size > uploadMaxBytes ? 'tooLarge' : 'waiting', upload: uploadOf(file, notes) })),
    )
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    for (const row of rows.filter(isTriable)) {
      setStatus(row.file, 'sending')
      const state = await sendOne(row, run)
      setStatus(row.file, state)
      if (state === 'stopped') break
    }
    onImported()
  }
  const close = () => {
    stop()
    for (const { upload } of rows) upload.discard()
    setRows([])
    setClosing(false)
    onClose()
  }
  const labelOf = (state: State) => {
    if (state === 'stopped') return u('stopped')
    return state in recordingTexts.fr ? t(state as keyof (typeof recordingTexts)['fr']) : f(state as never)
  }
  const again = rows.some(({ state }) => state === 'stopped') ? u('resume') : u('retry')

  return (
    <>
      <Dialog open={open} isHeld={busy} onClose={busy ? () => setClosing(true) : close} title={t('importTitle')}>
        <form className="grid gap-4" onSubmit={(event) => void send(event)}>
          <Field label={t('files')} hint={t('importHint')}>
            {(attributes) => (
              <input
                type="file"
                multiple
                required
                accept={uploadExtensions.join(',')}
                className="input"
                disabled={busy}
                onChange={(event) => choose(event.target.files)}
                {...attributes}
              />
            )}
          </Field>
          <div aria-live="polite">
            {rows.length > 0 && (
              <ul className="grid gap-2">
                {rows.map(({ file, state }) => (
                  <li key={file.name} className="border-s-2 border-line ps-3 text-sm">
                    <span className="font-bold wrap-anywhere">{file.name}</span>
                    <br />
                    <span>{labelOf(state)}</span>
                  </li>
                ))}
              </ul>
            )}
          </div>
          {progress && (
            <UploadBar name={rows.find(({ state }) => state === 'sending')?.file.name ?? ''} progress={progress} onStop={stop} />
          )}
          {isDone ? (
            <Button onClick={close}>{t('done')}</Button>
          ) : (
            <Button type="submit" busy={busy} disabled={rows.length === 0}>
              {isBegun && !busy ? again : t('start')}
            </Button>
          )}
        </form>
      </Dialog>
      <CloseQuestion open={isClosing && busy} onCancel={() => setClosing(false)} onConfirm={close} />
      <LeaveGuard />
    </>
  )
}

const isNote = ({ name }: File) => /\.(json|csv)$/i.test(name)

const uploadOf = (file: File, notes: File[]) =>
  createUpload([file], {
    path,
    purpose: 'recordings',
    body([part]) {
      const form = new FormData()
      for (const note of notes.filter((one) => belongsTo(file, one))) form.append('note', note)
      appendFile(form, part)
      return form
    },
  })

async function sendOne({ upload }: Row, run: (upload: Upload) => Promise<unknown>): Promise<State> {
  try {
    await run(upload)
    return 'imported'
  } catch (error) {
    if (isStopped(error)) return 'stopped'
    console.warn(error)
    const reason = error instanceof ApiError ? error.problem.reason : null
    return refusalReasons.find((one) => one === reason) ?? failureOf(error)
  }
}

/** A CSV applies to any file, a JSON sidecar to the one of its name. */
function belongsTo(file: File, note: File) {
  const stem = file.name.replace(/\.[^.]*$/, '')
  return /\.csv$/i.test(note.name) || [`${stem}.json`, `${file.name}.json`].includes(note.name)
}
