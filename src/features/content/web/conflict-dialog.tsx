import type { ReactNode } from 'react'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { isSame } from '#src/lib/merge.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../entry-texts.ts'
import type { Changed } from './last-change.tsx'

/** One field of an entry, for showing two versions of it. */
export type EntryField<Values> = {
  key: keyof Values & string
  label: string
  /** What is compared and shown, where it is not the field's own value. */
  read?: (values: Values) => unknown
  /** Plain text where left out. */
  show?: (value: never) => ReactNode
}

type ConflictDialogProps<Values extends object> = {
  /** The version another user saved; null without a conflict. */
  theirs: Values | null
  /** Who that was, and when. */
  change: Changed | null
  mine: Values
  /** Theirs with one's own changes on it: what is kept of both. */
  merged: Values | null
  fields: EntryField<Values>[]
  onTakeTheirs: () => void
  onKeepMine: () => void
  /** Neither for now: back to the form. */
  onPutOff: () => void
}

/** Two people edited one entry: the second sees both versions and chooses (nothing was replaced). */
export function ConflictDialog<Values extends object>(props: ConflictDialogProps<Values>) {
  const { mine, theirs, change, merged, fields, onTakeTheirs, onKeepMine, onPutOff } = props
  const e = useTexts(entryTexts)
  const language = useLanguage()
  const read = ({ key, read: readValue }: EntryField<Values>, values: Values) => (readValue ? readValue(values) : values[key])
  const differing = (one: Values | null, other: Values | null) =>
    one && other ? fields.filter((field) => !isSame(read(field, one), read(field, other))) : []
  const different = differing(mine, theirs)
  const adopted = differing(mine, merged)
  const show = (field: EntryField<Values>, values: Values) => {
    const value = read(field, values)
    if (value === null || value === undefined || value === '') return <span className="text-ink-2">{e('emptyValue')}</span>
    return field.show ? field.show(value as never) : <span className="whitespace-pre-line">{String(value)}</span>
  }
  return (
    <Dialog
      open={theirs !== null}
      onClose={onPutOff}
      role="alertdialog"
      wide={different.length > 0}
      title={e('conflictTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={onPutOff}>
            {e('postponeConflict')}
          </Button>
          <Button variant="secondary" onClick={onTakeTheirs}>
            {e('takeTheirs')}
          </Button>
          <Button onClick={onKeepMine}>{e('keepMine')}</Button>
        </>
      }
    >
      <p className="mb-5">
        {change && (
          <strong>
            {e('savedBy', { when: formatAgo(new Date(change.at), new Date(), language), name: change.name })}
            <br />
          </strong>
        )}
        {e(different.length > 0 ? 'conflictQuestion' : 'conflictSame')}
      </p>
      <dl className="grid gap-5">
        {theirs &&
          different.map((field) => (
            <div key={field.key} className="grid gap-2">
              <dt className="flex flex-wrap items-center gap-x-3 gap-y-1 font-bold">
                {field.label}
                {adopted.includes(field) && <span className="text-sm font-normal text-ink-2">{e('untouched')}</span>}
              </dt>
              <dd className="grid gap-3 md:grid-cols-2">
                <Version title={e('theirVersion')}>{show(field, theirs)}</Version>
                <Version title={e('myVersion')}>{show(field, mine)}</Version>
              </dd>
            </div>
          ))}
      </dl>
    </Dialog>
  )
}

function Version({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0 rounded-field bg-paper px-4 py-3">
      <p className="text-sm font-bold text-ink-2">{title}</p>
      <div className="wrap-anywhere">{children}</div>
    </div>
  )
}
