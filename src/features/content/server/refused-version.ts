import { isDeepStrictEqual } from 'node:util'
import type { Author, Change } from '#src/server/audit-log/audit-log.ts'
import { findLastChange, findLastEntry, recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict } from '#src/server/problems.ts'
import { fieldsOf, refusedAction } from '../versions/values.ts'

type Refused = Required<Pick<Change, 'area' | 'entryId' | 'before' | 'after'>>

/** A save based on a former version: the answer has the stored entry with its last author and time. */
export class RefusedVersion extends Conflict {
  readonly #author: Author
  readonly #refused: Refused

  /** `current`: the stored entry as the answer has it, where the audit log has another form of it. */
  static async of(tx: Database, author: Author, refused: Refused, current: unknown = refused.before) {
    const changed = await findLastChange(tx, refused.area, refused.entryId)
    return new RefusedVersion(author, refused, { current, changed })
  }

  private constructor(author: Author, refused: Refused, extra: Record<string, unknown>) {
    super('Someone else saved this entry in the meantime.', extra)
    this.#author = author
    this.#refused = refused
  }

  /** Keeps the refused version among the former ones, once: the same save may be tried again. */
  async keep(db: Database) {
    const { area, entryId, before, after } = this.#refused
    if (isSameState(before, after)) return
    await db.transaction(async (tx) => {
      const last = await findLastEntry(tx, area, entryId)
      const isKept = last?.action === refusedAction && last.userId === this.#author.userId && isSameState(last.after, after)
      if (!isKept) await recordChange(tx, this.#author, { ...this.#refused, action: refusedAction })
    })
  }
}

/** For the `catch` of a transaction: the version that it refused is kept. */
export const keepRefused =
  (db: Database) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof RefusedVersion) await error.keep(db)
    throw error
  }

/** What an entry says, without its count of changes. */
function isSameState(one: unknown, other: unknown) {
  const textsOf = (state: unknown) => {
    const { version: _version, english_older: _older, ...fields } = fieldsOf(JSON.parse(JSON.stringify(state)))
    return fields
  }
  return isDeepStrictEqual(textsOf(one), textsOf(other))
}
