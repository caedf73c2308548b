import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

// Else the scroll positions of all first pages would be one.
const state = history.state as { key?: string } | null
if (!state?.key) history.replaceState({ ...state, key: String(Math.random()) }, '')

if (globalThis.formReady) void globalThis.formReady.then(hydrate)
else hydrate()

function hydrate() {
  startTransition(() => {
    const main = document.querySelector('main')
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
      {
        // A page that was translated while its scripts were on their way is drawn anew.
        onRecoverableError(error) {
          reportError(error)
          void retypeFrom(main)
        },
      },
    )
  })
}

async function retypeFrom(main: HTMLElement | null) {
  const { copyTypedValues } = await import('#src/ui/components/copy-typed-values.ts')
  if (main) copyTypedValues(main, document)
}
