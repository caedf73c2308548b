import { useTexts } from '#src/ui/language.tsx'
import type { JournalEntry } from '../contract.ts'
import { texts } from '../texts.ts'
import { nameOf } from './differences.ts'

/** What the entry of a line is called: by itself, by its place, or by its number. */
export function useEntryName() {
  const t = useTexts(texts)
  return ({ area, entry_id: entryId, id_user, user_name, before, after }: JournalEntry) => {
    const named = nameOf(after, before)
    if (named || !entryId) return named
    if (entryId.startsWith('home_message/')) return t('homeMessage')
    if (entryId.startsWith('home_information/')) return t('homeInformation')
    // Their own account, as when they sign in.
    if (area === 'users' && entryId === String(id_user)) return user_name
    return t('entry', { id: entryId })
  }
}
