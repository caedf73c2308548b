import type { ReactNode } from 'react'
import { useEffect, useId, useState } from 'react'
import { isSame } from '#src/lib/merge.ts'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../texts.ts'
import { diffTexts } from '../versions/web/differences.ts'
import type { VersionedEntry } from '../versions/web/entry-versions.tsx'
import { useEntryOfPage } from '../versions/web/entry-versions.tsx'
import type { Side } from './conflicts.ts'
import { sideOf, comparedTexts } from './conflicts.ts'

/** One field of an entry, for showing two versions of it. */
export type EntryField<Values> = {
  key: keyof Values & string
  label: string
  /** Fields that are chosen with it. */
  parts?: readonly (keyof Values & string)[]
  /** The public page does not show it. */
  isUnseen?: boolean
  /** The compared value, where it is not the field's own. */
  read?: (values: Values) => unknown
  /** Defaults to plain text. */
  show?: (value: never) => ReactNode
}

/** Where one's own changes cannot be applied to the other version as they are: nothing is chosen by field. */
export type ConflictChoice = { title: string; keep: string; onKeep: () => void }

export type Changed = { at: string; name: string }

type ConflictDialogProps<Values extends object> = {
  /** The version another user saved; null without a conflict. */
  theirs: Values | null
  /** The version that both changed. */
  base: Values
  /** Author and time of that save. */
  change: Changed | null
  mine: Values
  /** The saved version with the user's own changes applied. */
  merged: Values | null
  fields: EntryField<Values>[]
  choice?: ConflictChoice | undefined
  /** Where its page has several; else it is the one that the page's address names. */
  entry?: VersionedEntry | null | undefined
  onLoadSavedVersion: () => void
  /** `taken`: fields of the other version. */
  onKeepOwnChanges: (taken: (keyof Values & string)[]) => void
  /** Closes the dialog without a choice. */
  onPostpone: () => void
}

/** Edit conflict: the second user sees both versions and chooses, field by field. Nothing was overwritten. */
export function ConflictDialog<Values extends object>(props: ConflictDialogProps<Values>) {
  const { entry, mine, theirs, base, change, fields, choice, onLoadSavedVersion, onKeepOwnChanges, onPostpone } = props
  const e = useTexts(entryTexts)
  const language = useLanguage()
  const [chosen, setChosen] = useState<Partial<Record<string, Side>>>({})
  const [asks, setAsks] = useState(false)
  useEffect(() => {
    setChosen({})
    setAsks(false)
  }, [theirs])
  const read = ({ key, read: readValue }: EntryField<Values>, values: Values) => (readValue ? readValue(values) : values[key])
  const different = theirs ? fields.filter((field) => !isSame(read(field, mine), read(field, theirs))) : []
  // Its former versions are listed below the form.
  const entryOfPage = useEntryOfPage()
  const hasVersions = (entry === undefined ? entryOfPage : entry) !== null
  const isEach = !choice && different.length > 0
  const sideOfField = (field: EntryField<Values>) =>
    chosen[field.key] ?? (theirs && sideOf(read(field, base), read(field, mine), read(field, theirs)))
  const open = different.filter((field) => sideOfField(field) === null)

  const handleKeep = () => {
    if (isEach && open.length > 0) {
      setAsks(true)
      document.querySelector<HTMLElement>(`dialog[open] [name="conflict-${open[0]?.key}"]`)?.focus()
      return
    }
    const taken = different.filter((field) => sideOfField(field) === 'theirs')
    onKeepOwnChanges(taken.flatMap(({ key, parts = [] }) => [key, ...parts]))
  }
  return (
    <Dialog
      open={theirs !== null}
      onClose={onPostpone}
      role="alertdialog"
      wide={different.length > 0}
      title={choice?.title ?? e('conflictTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={onPostpone}>
            {e('postponeConflict')}
          </Button>
          {!choice && (
            <Button variant="secondary" onClick={onLoadSavedVersion}>
              {e('loadSavedVersion')}
            </Button>
          )}
          <Button onClick={handleKeep}>{choice?.keep ?? e(isEach ? 'useChoices' : 'keepOwnChanges')}</Button>
        </>
      }
    >
      <p className="mb-2">
        {change && (
          <strong>
            <span>{e('savedBy', { when: formatAgo(new Date(change.at), new Date(), language), name: change.name })}</span>
            <br />
          </strong>
        )}
        <span>{e(different.length > 0 ? 'conflictQuestion' : 'conflictSame')}</span>
      </p>
      {isEach && (
        <p className="mb-5">
          <span>{e('chooseEach')}</span>
          {change && hasVersions && <span>{` ${e('bothKept')}`}</span>}
        </p>
      )}
      <div className="grid gap-6">
        {theirs &&
          different.map((field) => (
            <FieldVersions
              key={field.key}
              field={field}
              mine={read(field, mine)}
              theirs={read(field, theirs)}
              side={sideOfField(field)}
              isUntouched={isSame(read(field, mine), read(field, base))}
              isMissing={asks && sideOfField(field) === null}
              onChoose={isEach ? (side) => setChosen({ ...chosen, [field.key]: side }) : undefined}
            />
          ))}
      </div>
    </Dialog>
  )
}

type FieldVersionsProps<Values> = {
  field: EntryField<Values>
  mine: unknown
  theirs: unknown
  side: Side | null
  isUntouched: boolean
  isMissing: boolean
  /** Undefined where nothing is chosen by field. */
  onChoose: ((side: Side) => void) | undefined
}

/** Both versions of a field, with the words that differ. */
function FieldVersions<Values>({ field, mine, theirs, side, isUntouched, isMissing, onChoose }: FieldVersionsProps<Values>) {
  const e = useTexts(entryTexts)
  const errorId = useId()
  const words = comparedTexts(mine, theirs)
  const show = (of: Side) => {
    const value = of === 'mine' ? mine : theirs
    if (words) return <MarkedWords text={words[of]} other={words[of === 'mine' ? 'theirs' : 'mine']} />
    if (value === null || value === undefined || value === '') return <span className="text-ink-2">{e('emptyValue')}</span>
    return field.show ? field.show(value as never) : <span className="whitespace-pre-line">{String(value)}</span>
  }
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={isMissing ? errorId : undefined}>
      <legend className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 font-bold">
        <span>{field.label}</span>
        {isUntouched && <span className="text-sm font-normal text-ink-2">{e('untouched')}</span>}
      </legend>
      <div className="grid gap-3 md:grid-cols-2">
        {(['theirs', 'mine'] as const).map((of) => (
          <div
            key={of}
            className={`min-w-0 rounded-field border-2 bg-paper px-4 py-3 ${side === of && onChoose ? 'border-brand' : 'border-transparent'}`}
          >
            {onChoose ? (
              <label className="flex min-h-8 items-center gap-3 text-sm font-bold text-ink-2">
                <input
                  type="radio"
                  className="size-5 accent-brand"
                  name={`conflict-${field.key}`}
                  checked={side === of}
                  onChange={() => onChoose(of)}
                />
                <span>{e(of === 'mine' ? 'myVersion' : 'theirVersion')}</span>
              </label>
            ) : (
              <p className="text-sm font-bold text-ink-2">{e(of === 'mine' ? 'myVersion' : 'theirVersion')}</p>
            )}
            <div className="mt-1 wrap-anywhere">{show(of)}</div>
          </div>
        ))}
      </div>
      <div role="alert">
        {isMissing && (
          <p id={errorId} className="font-bold text-err">
            {e('chooseVersion', { field: field.label })}
          </p>
        )}
      </div>
    </fieldset>
  )
}

/** A text with the words that the other version does not have. */
function MarkedWords({ text, other }: { text: string; other: string }) {
  const pieces = diffTexts(other, text).filter(({ removed }) => !removed)
  return (
    <span className="whitespace-pre-line">
      {pieces.map(({ value, added }, index) => {
        const Mark = added ? 'mark' : 'span'
        return (
          <Mark key={index} className={added ? 'rounded bg-warn-soft font-bold text-ink' : undefined}>
            {value}
          </Mark>
        )
      })}
    </span>
  )
}
