import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { EntryTabs } from '#src/features/content/web/entry-tabs.tsx'
import { ApiError, callApi, getJson } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { Moment } from '#src/ui/components/moment.tsx'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Card } from '#src/ui/components/card.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Loading } from '#src/ui/components/loading.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Language } from '#src/lib/language/language.ts'
import { appendFile, createUpload, isStopped } from '#src/ui/uploads/upload.ts'
import { UploadBar } from '#src/ui/uploads/upload-bar.tsx'
import { uploadTexts } from '#src/ui/uploads/upload-texts.ts'
import { useFileUpload } from '#src/ui/uploads/use-upload.ts'
import { changeQuery } from '#src/lib/lists.ts'
import type { ImportFolders, ImportKind, ImportResult } from '../contract.ts'
import { importTexts } from '../texts.ts'
import type { ImportState } from '../values.ts'
import type { Route } from './+types/admin-imports-page.ts'

const importsPath = '/api/imports/imports'
const pageSize = 25

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const page = new URL(request.url).searchParams.get('page') ?? '1'
  const [kinds, { rows, total }] = await Promise.all([
    getJson<ImportKind[]>('/api/imports/kinds'),
    getPage(`${importsPath}?page=${encodeURIComponent(page)}`),
  ])
  return { kinds, rows: rows as ImportResult[], total, page: Number(page) || 1 }
}

/** `/admin/importer`: choose a file, and the former imports. */
export default function AdminImportsPage({ loaderData: { kinds, rows, total, page } }: Route.ComponentProps) {
  useRight(['company'], 'read_only')
  const t = useTexts(importTexts)
  const [query] = useSearchParams()
  return (
    <>
      <AdminHead title={t('title')} />
      <EntryTabs entry="/admin/importer" />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-6">
          <ChooseFile kinds={kinds.filter(({ may_import }) => may_import)} />
          <section aria-labelledby="former" className="grid gap-3">
            <h2 id="former" className="text-xl">
              {t('formerTitle')}
            </h2>
            <FormerImports rows={rows} />
            <Pagination
              page={page}
              count={Math.ceil(total / pageSize)}
              to={(next) => `?${changeQuery(query, { page: String(next) })}`}
            />
          </section>
        </div>
        <NeverDone />
      </div>
    </>
  )
}

export function NeverDone() {
  const t = useTexts(importTexts)
  return (
    <Card className="self-start p-5">
      <h2 className="mb-2 text-lg">{t('neverTitle')}</h2>
      <ul className="grid list-disc gap-2 ps-5">
        <li>{t('neverMail')}</li>
        <li>{t('neverPublic')}</li>
        <li>{t('neverAlert')}</li>
      </ul>
      <p className="mt-4 border-t-2 border-dashed border-line pt-4 font-bold">{t('undoable')}</p>
    </Card>
  )
}

function ChooseFile({ kinds }: { kinds: ImportKind[] }) {
  const t = useTexts(importTexts)
  const u = useTexts(uploadTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [kind, setKind] = useState((kinds.find((one) => one.kind === query.get('kind')) ?? kinds[0])?.kind ?? '')
  const { progress, send, stop, stopped, forget } = useFileUpload<ImportResult>()
  const [failure, setFailure] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const [isMailbox, setMailbox] = useState(false)
  const [reading, setReading] = useState<AbortController | null>(null)
  const chosen = kinds.find((one) => one.kind === kind)
  const isFolder = isMailbox && chosen?.has_mailbox === true

  const readFolder = (given: HTMLFormElement) => {
    const controller = new AbortController()
    setReading(controller)
    return callApi<ImportResult>('POST', importsPath, new FormData(given), controller.signal)
  }
  const handleSubmit = async () => {
    if (progress || reading || !form.current?.reportValidity()) return
    setFailure('')
    const given = form.current
    try {
      const begun = await (isFolder ? readFolder(given) : send(() => createImport(given)))
      if (begun) await navigate(`/admin/importer/${begun.id_import}`)
    } catch (error) {
      // The reading of a folder was stopped.
      if (isStopped(error)) return
      setFailure(reasonOf(error, language) || f(failureOf(error)))
    } finally {
      setReading(null)
    }
  }
  if (kinds.length === 0) return <p>{t('noRight')}</p>
  return (
    <Card>
      <h2 className="mb-4 text-xl">{t('chooseTitle')}</h2>
      <form
        ref={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void handleSubmit()
        }}
      >
        <SelectField
          label={t('kind')}
          name="kind"
          hint={chosen?.hint[language]}
          value={kind}
          onChange={(event) => setKind(event.target.value)}
        >
          {kinds.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.label[language]}
            </option>
          ))}
        </SelectField>
        {chosen?.has_mailbox && (
          <SelectField
            label={t('origin')}
            value={isFolder ? 'mailbox' : 'file'}
            onChange={(event) => setMailbox(event.target.value === 'mailbox')}
          >
            <option value="file">{t('fromFile')}</option>
            <option value="mailbox">{t('fromMailbox')}</option>
          </SelectField>
        )}
        {isFolder ? (
          <MailboxFolder kind={kind} />
        ) : (
          <>
            <TextField label={t('source')} name="source" hint={t('sourceHint')} maxLength={500} />
            <TextField label={t('file')} name="file" type="file" accept={chosen?.accept} required onChange={forget} />
          </>
        )}
        {kind === 'mail' && <TextField label={t('staff')} name="staff" hint={t('staffHint')} maxLength={500} />}
        {failure && (
          <p role="alert" className="font-bold text-err">
            {failure}
          </p>
        )}
        {reading && (
          <div className="grid justify-items-start gap-2">
            <Loading label={t('readingFolder')} />
            <Button variant="secondary" size="small" onClick={() => reading.abort()}>
              {u('stop')}
            </Button>
          </div>
        )}
        <LeaveGuard />
        {progress && <UploadBar name={fileOf(form.current)?.name ?? ''} progress={progress} onStop={stop} />}
        {!reading && !progress && (
          <div className="grid justify-items-start gap-2">
            {stopped && <p role="status">{u(stopped.hasPieces ? 'stopped' : 'stoppedShort')}</p>}
            <Button type="submit">{isFolder ? t('checkFolder') : stopped ? u('resume') : t('check')}</Button>
          </div>
        )}
      </form>
    </Card>
  )
}

/** Which folder of the server's mailbox; its list is read from the mail server. */
function MailboxFolder({ kind }: { kind: string }) {
  const t = useTexts(importTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const [attempt, setAttempt] = useState(0)
  const [folders, setFolders] = useState<ImportFolders | null>(null)
  const [failure, setFailure] = useState('')
  useEffect(() => {
    let isCurrent = true
    getJson<ImportFolders>(`/api/imports/kinds/${kind}/folders`)
      .then((found) => isCurrent && setFolders(found))
      .catch((error: unknown) => {
        if (isCurrent) setFailure(reasonOf(error, language) || f(failureOf(error)))
      })
    return () => {
      isCurrent = false
    }
  }, [kind, attempt, f, language])
  if (failure)
    return (
      <div role="alert" className="grid justify-items-start gap-2">
        <p className="font-bold text-err">{failure}</p>
        <Button
          variant="secondary"
          size="small"
          onClick={() => {
            setFailure('')
            setAttempt(attempt + 1)
          }}
        >
          {t('foldersAgain')}
        </Button>
      </div>
    )
  if (!folders) return <Loading label={t('foldersLoading')} />
  return (
    <SelectField label={t('folder')} name="folder" hint={t('folderHint')} required>
      {folders.map(({ name, count }) => (
        <option key={name} value={name}>
          {t('folderOption', { name, count })}
        </option>
      ))}
    </SelectField>
  )
}

/** What an import says in both languages about a source that cannot be read. */
const reasonOf = (error: unknown, language: Language) =>
  error instanceof ApiError ? (error.problem.reason as Record<Language, string> | undefined)?.[language] : undefined

const fileOf = (form: HTMLFormElement | null) => form?.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0]

/** The fields are read when they are sent: they may change between two tries. */
function createImport(form: HTMLFormElement) {
  const file = fileOf(form)
  if (!file) throw new Error('a form without its file')
  return createUpload<ImportResult>([file], {
    path: importsPath,
    purpose: 'imports',
    body([part]) {
      const values = new FormData(form)
      // The server reads the kind before the file.
      values.delete('file')
      appendFile(values, part)
      return values
    },
  })
}

const tones = { waiting: 'warn', running: 'brand', done: 'ok', stopped: 'warn', failed: 'err', undone: 'neutral' } as const

export function StateBadge({ state }: { state: ImportState }) {
  const t = useTexts(importTexts)
  return <Badge tone={tones[state]}>{t(state)}</Badge>
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, one) => total + one, 0)

function FormerImports({ rows }: { rows: ImportResult[] }) {
  const t = useTexts(importTexts)
  const language = useLanguage()
  if (rows.length === 0) return <EmptyState title={t('none')}>{t('noneHint')}</EmptyState>
  // What waits for a decision comes first.
  const sorted = rows.toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)))
  return (
    <Table
      caption={t('formerTitle')}
      rows={sorted}
      rowKey={(row) => row.id_import}
      columns={[
        {
          header: t('file'),
          isRowHeader: true,
          cell: (row) => (
            <Link to={`/admin/importer/${row.id_import}`} className="link">
              {t('named', { kind: row.label[language], name: row.file })}
            </Link>
          ),
        },
        { header: t('states'), cell: (row) => <StateBadge state={row.state} /> },
        {
          header: t('result'),
          cell: (row) =>
            [t('created', { count: sum(row.created) }), row.refused_total > 0 && t('refused', { count: row.refused_total })]
              .filter(Boolean)
              .join(', '),
        },
        {
          header: t('when'),
          cell: (row) => (
            <>
              <Moment at={row.created_at} /> <span>{row.by}</span>
            </>
          ),
        },
      ]}
    />
  )
}

const isOpen = ({ state }: ImportResult) => state !== 'done' && state !== 'undone'
