import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

// Else the scroll positions of all first pages would be one.
const state = history.state as { key?: string } | null
if (!state?.key) history.replaceState({ ...state, key: String(Math.random()) }, '')

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
