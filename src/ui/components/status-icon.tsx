import { statusDrawings } from './status-drawings.ts'

export type Status = 'OK' | 'WARNING' | 'ERROR'

type StatusIconProps = {
  status: Status
  /** Accessible name; omitted where the text is beside the icon. */
  label?: string
  /** Not the current status: same shape, no color (network tables, R-59). */
  muted?: boolean
  size?: number
  className?: string
}

/** A check, a triangle and a cross, so that the status does not depend on color alone. */
export function StatusIcon({ status, label, muted = false, size = 24, className = '' }: StatusIconProps) {
  const { shape, mark, colour } = statusDrawings[status]
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className={`flex-none ${muted ? 'icon-muted text-line' : colour} ${className}`}
      focusable="false"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={shape} fill="currentColor" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
      <path
        d={mark}
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={muted ? 'stroke-ink-2' : 'stroke-surface'}
      />
    </svg>
  )
}

/** The icon with its label. */
export function StatusText({ status, label, className = '' }: { status: Status; label: string; className?: string }) {
  return (
    <span className={`inline-flex items-center gap-2 font-bold ${statusDrawings[status].colour} ${className}`}>
      <StatusIcon status={status} size={20} />
      <span key={label}>{label}</span>
    </span>
  )
}
