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
  const { shape, mark, colour } = drawings[status]
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
    <span className={`inline-flex items-center gap-2 font-bold ${drawings[status].colour} ${className}`}>
      <StatusIcon status={status} size={20} />
      <span key={label}>{label}</span>
    </span>
  )
}

const drawings: Record<Status, { shape: string; mark: string; colour: string }> = {
  OK: { shape: 'M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19z', mark: 'm7.8 12.4 2.9 2.9 5.6-6.2', colour: 'text-ok' },
  WARNING: { shape: 'M12 3 22 20.5H2z', mark: 'M12 9.2v5.2m0 3.1v.1', colour: 'text-warn' },
  ERROR: { shape: 'M5 3.5h14L20.5 5v14L19 20.5H5L3.5 19V5z', mark: 'm8.5 8.5 7 7m0-7-7 7', colour: 'text-err' },
}
