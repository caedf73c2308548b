import { useSyncExternalStore } from 'react'
import { useTexts } from './language.tsx'
import { texts } from './texts.ts'
import { Toast } from './toast.tsx'

let isShown = false
const listeners = new Set<() => void>()

/** Says that something was saved, on whatever page comes next. */
export function tellSaved() {
  set(true)
}

/** Another save begins: the last one is old news. */
export function forgetSaved() {
  set(false)
}

/** Stands in the frame of the administration: a form that saved is often gone by then. */
export function SavedNotice() {
  const t = useTexts(texts)
  const status = useSyncExternalStore(subscribe, () => isShown)
  return (
    <Toast status={status ? 'success' : null} onHide={forgetSaved}>
      {t('saved')}
    </Toast>
  )
}

function set(next: boolean) {
  isShown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
