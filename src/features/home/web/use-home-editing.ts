import type { ComponentType } from 'react'
import { useEffect, useState } from 'react'
import type { Profile } from '#src/features/people/sign-in/contract.ts'
import { profileStorageKey } from '#src/features/people/sign-in/values.ts'
import { tabStorage } from '#src/ui/storage.ts'
import type { HomeEditingProps } from './home-editing.tsx'

/** The page with its editors, for staff with the right who are signed in in this tab; visitors never load it. */
export function useHomeEditing() {
  const [editing, setEditing] = useState<{ Page: ComponentType<HomeEditingProps> } | null>(null)
  useEffect(() => {
    if (!mayEdit()) return
    import('./home-editing.tsx').then(({ HomeEditing }) => setEditing({ Page: HomeEditing })).catch(console.error)
  }, [])
  return editing
}

/** What the page shows; the server checks the right itself. */
function mayEdit() {
  try {
    const profile = JSON.parse(tabStorage.read(profileStorageKey) ?? 'null') as Profile | null
    return profile?.rights.home === 'read_write' || profile?.rights.home === 'administrator'
  } catch {
    return false
  }
}
