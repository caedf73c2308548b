import { useSyncExternalStore } from 'react'
import { useTexts } from '../language.tsx'
import { texts } from '../texts.ts'
import { Toast } from './toast.tsx'

/** What a save did. */
export type Notice = 'saved' | 'created'

let shown: Notice | null = null
const listeners = new Set<() => void>()

/** Says that something was saved, on whatever page comes next. */
export function showSavedNotice(notice: Notice = 'saved') {
  set(notice)
}

/** Removes the notice: another save begins. */
export function hideSavedNotice() {
  set(null)
}

/** Stands in the frame of the administration: a form that saved is often gone by then. */
export function SavedNotice() {
  const t = useTexts(texts)
  const notice = useSyncExternalStore(subscribe, () => shown)
  return (
    <Toast status={notice ? 'success' : null} onHide={hideSavedNotice}>
      {notice && t(notice)}
    </Toast>
  )
}

function set(next: Notice | null) {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
