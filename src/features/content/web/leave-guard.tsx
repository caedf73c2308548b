import { useCallback, useLayoutEffect, useRef } from 'react'
import type { BlockerFunction } from 'react-router'
import { useBlocker } from 'react-router'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../texts.ts'

/** Asks before the page is left with unsaved changes. One per page: the router supports one blocker. */
export function LeaveGuard({ when }: { when: boolean }) {
  const e = useTexts(entryTexts)
  // A history step is a browser event, whose handler must read the current value.
  const isArmed = useRef(when)
  useLayoutEffect(() => {
    isArmed.current = when
  }, [when])
  const blocker = useBlocker(
    useCallback<BlockerFunction>(
      ({ currentLocation, nextLocation }) => isArmed.current && currentLocation.pathname !== nextLocation.pathname,
      [],
    ),
  )
  const stay = () => blocker.reset?.()
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onClose={stay}
      role="alertdialog"
      title={e('leaveTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={() => blocker.proceed?.()}>
            {e('leave')}
          </Button>
          <Button onClick={stay}>{e('stay')}</Button>
        </>
      }
    >
      <p>{e('leaveQuestion')}</p>
    </Dialog>
  )
}
