import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { StatusIcon } from './status-icon.tsx'

type UndoBarProps = {
  /** When it was done, in milliseconds, and how long it can be undone. */
  at: number
  lengthMs: number
  describe: (seconds: number) => string
  label: string
  onUndo: () => void
  onOver: () => void
}

/** What was done and can still be undone, with the seconds left; `key` it by what was done. */
export function UndoBar({ at, lengthMs, describe, label, onUndo, onOver }: UndoBarProps) {
  const [left, setLeft] = useState(lengthMs / 1_000)
  useEffect(() => {
    const timer = setInterval(() => {
      const seconds = Math.ceil((at + lengthMs - Date.now()) / 1_000)
      if (seconds > 0) setLeft(seconds)
      else onOver()
    }, 250)
    return () => clearInterval(timer)
  }, [at, lengthMs, onOver])
  return (
    <div className="card flex flex-wrap items-center gap-4 px-5 py-3">
      <StatusIcon status="OK" />
      <p className="grow">{describe(left)}</p>
      <Button variant="secondary" size="small" onClick={onUndo}>
        {label}
      </Button>
    </div>
  )
}
