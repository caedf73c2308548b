import { useEffect, useId, useState } from 'react'
import { useLocation } from 'react-router'
import { useFeatures } from '#src/features/content/web/admin-context.ts'
import { findEntryKind } from '#src/lib/feature.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { ApiError, callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { hideSavedNotice, Toast } from '#src/ui/components/toast.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ComparedVersion, Reused, StoredVersion } from '../contract.ts'
import { refusedAction } from '../values.ts'
import { versionTexts } from '../texts.ts'
import { DifferenceList, useFieldLabels } from './difference-list.tsx'
import { findDifferences } from './differences.ts'

const path = '/api/versions'

/** An entry as the audit log names it; its kind and id, such as `home_message/3`. */
export type VersionedEntry = { area: string; entry: string }

/** The entry whose page this is, as the audit log names it; null on a page of none, or of a new one. */
export function useEntryOfPage() {
  const { pathname } = useLocation()
  const kinds = useFeatures().flatMap(({ entries = [] }) => entries)
  for (const { area, kind, path: page, isContent } of kinds) {
    if (page === pathname && kind === 'settings') return { area, entry: kind }
    const start = isContent && page?.endsWith('/:id') ? page.slice(0, -':id'.length) : null
    const id = start && pathname.startsWith(start) ? pathname.slice(start.length) : ''
    if (/^\d+$/.test(id)) return { area, entry: kind ? `${kind}/${id}` : id }
  }
  return null
}

type EntryVersionsProps = {
  /** Where the page has several; else it is the one that the page's address names. */
  entry?: VersionedEntry | null | undefined
  isDirty: boolean
  /** Changes with each save. */
  version: unknown
  /** Shows the entry as it is now. */
  onReused: (current: unknown) => void
}

/** Below the form of an entry: its former versions, each of which can be taken over. */
export function EntryVersions({ entry: named, isDirty, version, onReused }: EntryVersionsProps) {
  const v = useTexts(versionTexts)
  const language = useLanguage()
  const entryOfPage = useEntryOfPage()
  const entry = named === undefined ? entryOfPage : named
  const headingId = useId()
  const query = entry && String(new URLSearchParams(entry))
  const [versions, setVersions] = useState<StoredVersion[]>([])
  const [chosen, setChosen] = useState<StoredVersion | null>(null)
  useEffect(() => {
    if (!query) return undefined
    let isCurrent = true
    getJson<StoredVersion[]>(`${path}?${query}`)
      .then((found) => isCurrent && setVersions(found))
      .catch((error: unknown) => console.warn(error))
    return () => {
      isCurrent = false
    }
  }, [query, version])
  if (!entry || versions.length === 0) return null
  // Below a form that is one part of its page.
  const Heading = named ? 'h3' : 'h2'
  const current = versions.findIndex(({ action }) => action !== refusedAction)
  const former = versions.toSpliced(current, 1).map((one) => {
    const when = formatDateTime(one.at, language)
    const isFirst = one.state === 'before'
    const by = { when, name: one.name || v('product') }
    if (isFirst) return { one, label: v('firstVersion', by) }
    return { one, label: v(one.action === refusedAction ? 'refusedBy' : 'versionBy', by) }
  })
  return (
    <section aria-labelledby={headingId} className="mt-10">
      <Heading id={headingId} className="mb-3 text-xl">
        {v('versions')}
      </Heading>
      {former.length === 0 ? (
        <p className="text-ink-2">{v('noVersions')}</p>
      ) : (
        <ul className="grid gap-2">
          {former.map(({ one, label }) => (
            <li key={`${one.id_entry} ${one.state}`} className="flex flex-wrap items-center gap-3">
              <span>{label}</span>
              <Button
                variant="secondary"
                size="small"
                aria-label={v('reuseNamed', { version: label })}
                onClick={() => setChosen(one)}
              >
                {v('reuse')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ReuseDialog
        idEntry={chosen?.id_entry ?? null}
        state={chosen?.state}
        isDirty={isDirty}
        onClose={() => setChosen(null)}
        onReused={onReused}
      />
    </section>
  )
}

type ReuseDialogProps = {
  /** The event whose state is taken over; null while none is chosen. */
  idEntry: number | null
  /** The state after that event, or the one before it. */
  state?: StoredVersion['state'] | undefined
  isDirty?: boolean
  onClose: () => void
  onReused: (current: unknown) => void
}

/** Shows what taking over a version changes, takes it over as one change, and offers to undo that. */
export function ReuseDialog({ idEntry, state = 'after', isDirty = false, onClose, onReused }: ReuseDialogProps) {
  const v = useTexts(versionTexts)
  const f = useTexts(failureTexts)
  const features = useFeatures()
  const { fields, valueName } = useFieldLabels()
  const [compared, setCompared] = useState<ComparedVersion | Reason | null>(null)
  const [done, setDone] = useState<Reused | 'undone' | Reason | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (idEntry === null) return undefined
    let isCurrent = true
    setCompared(null)
    setDone(null)
    getJson<ComparedVersion>(`${path}/${idEntry}?state=${state}`)
      .then((found) => isCurrent && setCompared(found))
      .catch((error: unknown) => {
        console.warn(error)
        if (isCurrent) setCompared(reasonOf(error))
      })
    return () => {
      isCurrent = false
    }
  }, [idEntry, state])

  const explain = (reason: Reason) => (reason === 'notReusable' ? v(reason) : f(reason))
  const both = typeof compared === 'object' ? compared : null
  const richText = both ? findEntryKind(features, both.area, both.entry_id)?.richText : undefined
  const differences = both
    ? findDifferences(both.current, both.former, { order: fields, richText: richText ?? [], nameValue: valueName })
    : []
  const call = async (id: number, input: { version: number; state: StoredVersion['state'] }, isUndo: boolean) => {
    setBusy(true)
    hideSavedNotice()
    try {
      const reused = await callApi<Reused>('POST', `${path}/${id}/reuse`, input)
      setDone(isUndo ? 'undone' : reused)
      onReused(reused.current)
    } catch (error) {
      console.warn(error)
      setDone(reasonOf(error))
    } finally {
      setBusy(false)
      onClose()
    }
  }
  return (
    <>
      <Dialog
        open={idEntry !== null}
        onClose={onClose}
        wide={differences.length > 0}
        title={v('reuseTitle')}
        actions={
          <>
            <Button variant="secondary" onClick={onClose}>
              {v(differences.length > 0 ? 'cancel' : 'close')}
            </Button>
            {differences.length > 0 && (
              <Button
                busy={busy}
                onClick={() => both && idEntry !== null && void call(idEntry, { version: both.version, state }, false)}
              >
                {v('reuse')}
              </Button>
            )}
          </>
        }
      >
        {compared === null && <p role="status">{v('loading')}</p>}
        {typeof compared === 'string' && <p role="alert">{compared === 'gone' ? v('reuseDeleted') : explain(compared)}</p>}
        {both && <p>{v(differences.length > 0 ? 'reuseQuestion' : 'reuseSame')}</p>}
        {both && isDirty && differences.length > 0 && <p className="mt-2 font-bold">{v('reuseDirty')}</p>}
        {differences.length > 0 && <DifferenceList differences={differences} isChange />}
      </Dialog>
      <Toast
        status={done === null ? null : typeof done === 'object' || done === 'undone' ? 'success' : 'error'}
        action={
          typeof done === 'object' &&
          done !== null && (
            <Button variant="link" onClick={() => void call(done.id_entry, { version: done.version, state: 'before' }, true)}>
              {v('undo')}
            </Button>
          )
        }
        onHide={() => setDone(null)}
      >
        {done === 'undone' ? v('undone') : typeof done === 'object' ? v('reused') : explain(done)}
      </Toast>
    </>
  )
}

/** `notReusable`: parts of the version are gone, or no longer valid. */
type Reason = Failure | 'notReusable'

/** A conflict names the entry as it is now: anything else is about the version itself. */
function reasonOf(error: unknown): Reason {
  const isRefusal = error instanceof ApiError && [400, 409].includes(error.status)
  return isRefusal && !error.problem.current ? 'notReusable' : failureOf(error)
}
