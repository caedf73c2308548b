import type { Translate } from '#src/lib/language/texts.ts'
import { privacyTexts } from '../texts.ts'

type Key = keyof (typeof privacyTexts)['fr']

/** Label of a kind of data; falls back to its key. */
export function kindName(t: Translate<Key>, kind: string) {
  return kind in privacyTexts.fr ? t(kind as Key) : kind
}

const reasons: Record<string, Key> = { users: 'usersReason', employees: 'employeesReason', journal: 'journalReason' }

export const reasonKey = (kind: string): Key => reasons[kind] ?? 'kept'
