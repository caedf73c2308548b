import { useTexts } from '#src/ui/language.tsx'
import type { JournalEntry } from '../contract.ts'
import { texts } from '../texts.ts'
import { nameOf } from './differences.ts'

/** Where one area holds several kinds of entries, their number comes after the kind. */
const places = new Map<string, 'homeMessage' | 'homeInformation' | 'cannedReply' | 'blockedVisitor' | 'settings'>([
  ['home_message', 'homeMessage'],
  ['home_information', 'homeInformation'],
  ['canned', 'cannedReply'],
  ['blocks', 'blockedVisitor'],
  ['settings', 'settings'],
])

/** What the entry of a line is called: by itself, by its place, or by its number. */
export function useEntryName() {
  const t = useTexts(texts)
  return ({ area, entry_id: entryId, id_user, user_name, before, after }: JournalEntry) => {
    const named = nameOf(after, before)
    if (named || !entryId) return named
    const [kind = '', number = ''] = entryId.split('/')
    const place = places.get(kind)
    if (place) return t(place, { id: number })
    // Their own account, as when they sign in.
    if (area === 'users' && entryId === String(id_user)) return user_name
    return t('entry', { id: entryId })
  }
}
