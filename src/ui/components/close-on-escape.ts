import type { KeyboardEvent } from 'react'

/** Escape folds an open `details` and gives its button the focus; nobody else hears of that key. */
export function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>) {
  if (event.key !== 'Escape' || !event.currentTarget.open) return
  event.stopPropagation()
  event.currentTarget.open = false
  event.currentTarget.querySelector('summary')?.focus()
}
