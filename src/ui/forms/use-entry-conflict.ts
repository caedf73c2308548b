import { useState } from 'react'
import { mergeChanges } from '#src/lib/merge.ts'

/** `version`: which state of the entry the values were made from; `id`: of which entry, where the form does not know it beforehand. */
export type Versioned = { version?: number; id?: number | null }

type Change = { at: string; name: string }
/** One's own values, and the stored ones that they were made from. */
type Own<Values> = { values: Values; base: Values }

/** What another person saved meanwhile, and whether one went on with one's own changes to it. */
export function useEntryConflict<Values extends Versioned>({ values, base }: Own<Values>) {
  const [theirs, setTheirs] = useState<Values | null>(null)
  const [theirChange, setTheirChange] = useState<Change | null>(null)
  const [hasKeptMine, setHasKeptMine] = useState(false)

  const merge = (saved: Values): Values => {
    const { version, id } = saved
    return { ...mergeChanges(base, values, saved), version, ...(id === undefined ? {} : { id }) }
  }

  return {
    theirs,
    /** Who saved that, and when. */
    theirChange,
    /** The other's version with one's own changes on it. */
    merged: theirs && merge(theirs),
    hasKeptMine,
    meet: (saved: Values, change: unknown) => {
      setTheirs(saved)
      setTheirChange((change ?? null) as Change | null)
    },
    settle: (isMineKept: boolean) => {
      setTheirs(null)
      setHasKeptMine(isMineKept)
    },
    forgetChoice: () => setHasKeptMine(false),
    putOff: () => setTheirs(null),
  }
}
