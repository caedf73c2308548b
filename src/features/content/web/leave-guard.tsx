import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { BlockerFunction } from 'react-router'
import { useBlocker } from 'react-router'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { uploadTexts } from '#src/ui/uploads/upload-texts.ts'
import { isUploading, useUploading } from '#src/ui/uploads/use-upload.ts'
import { entryTexts } from '../texts.ts'

/** Asks before the page is left with unsaved changes, or while it sends a file. One per page: the router supports one blocker. */
export function LeaveGuard({ when = false }: { when?: boolean }) {
  const e = useTexts(entryTexts)
  const u = useTexts(uploadTexts)
  const isSending = useUploading()
  // A history step is a browser event, whose handler must read the current value.
  const isArmed = useRef(when)
  useLayoutEffect(() => {
    isArmed.current = when
  }, [when])
  const blocker = useBlocker(
    useCallback<BlockerFunction>(
      // Asked now: what is sent leads to another page itself as soon as it is there.
      ({ currentLocation, nextLocation }) =>
        (isArmed.current || isUploading()) && currentLocation.pathname !== nextLocation.pathname,
      [],
    ),
  )
  const stay = () => blocker.reset?.()
  const { state, reset } = blocker
  useEffect(() => {
    // The file is there: nothing is lost any more.
    if (state === 'blocked' && !isSending && !isArmed.current) reset()
  }, [state, reset, isSending])
  return (
    <Dialog
      open={state === 'blocked'}
      onClose={stay}
      role="alertdialog"
      title={isSending ? u('underWay') : e('leaveTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={() => blocker.proceed?.()}>
            {isSending ? u('stopAndLeave') : e('leave')}
          </Button>
          <Button onClick={stay}>{e('stay')}</Button>
        </>
      }
    >
      <p>{isSending ? u('leaveQuestion') : e('leaveQuestion')}</p>
    </Dialog>
  )
}
