import type { ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../entry-texts.ts'

/** One field of an entry, for showing two versions of it. */
export type EntryField<Values> = {
  key: keyof Values & string
  label: string
  /** Plain text where left out. */
  show?: (value: never) => ReactNode
}

type ConflictDialogProps<Values extends object> = {
  mine: Values
  /** What another person saved; null where nobody did. */
  theirs: Values | null
  fields: EntryField<Values>[]
  onTakeTheirs: () => void
  onKeepMine: () => void
}

/** Two people edited one entry: the second sees both versions and chooses (nothing was replaced). */
export function ConflictDialog<Values extends object>(props: ConflictDialogProps<Values>) {
  const { mine, theirs, fields, onTakeTheirs, onKeepMine } = props
  const e = useTexts(entryTexts)
  const different = theirs ? fields.filter(({ key }) => JSON.stringify(mine[key]) !== JSON.stringify(theirs[key])) : []
  const show = ({ key, show: showValue }: EntryField<Values>, values: Values) => {
    const value = values[key]
    if (value === null || value === undefined || value === '') return <span className="text-ink-2">{e('emptyValue')}</span>
    return showValue ? showValue(value as never) : <span className="whitespace-pre-line">{String(value)}</span>
  }
  return (
    <Dialog
      open={theirs !== null}
      onClose={onTakeTheirs}
      role="alertdialog"
      wide={different.length > 0}
      title={e('conflictTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={onTakeTheirs}>
            {e('takeTheirs')}
          </Button>
          <Button onClick={onKeepMine}>{e('keepMine')}</Button>
        </>
      }
    >
      <p className="mb-5">{e(different.length > 0 ? 'conflictQuestion' : 'conflictSame')}</p>
      <dl className="grid gap-5">
        {theirs &&
          different.map((field) => (
            <div key={field.key} className="grid gap-2">
              <dt className="font-bold">{field.label}</dt>
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
