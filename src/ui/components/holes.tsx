import { CheckIcon } from './icons.tsx'
import { StatusIcon } from './status-icon.tsx'

type Mark = 'done' | 'now' | 'failed' | 'next'
type Hole = { mark: Mark; label: string; detail?: string }

/** Progress as a row of punched holes, each with its word. */
export function Holes({ label, holes, upright = false }: { label: string; holes: Hole[]; upright?: boolean }) {
  return (
    <ol aria-label={label} className={upright ? 'holes holes-upright' : 'holes'}>
      {holes.map((hole, index) => (
        <li key={index} className={`hole hole-${hole.mark}`} aria-current={hole.mark === 'now' ? 'step' : undefined}>
          <span className="hole-mark">
            {hole.mark === 'done' && <CheckIcon />}
            {hole.mark === 'failed' && <StatusIcon status="ERROR" size={26} />}
          </span>
          <span className={hole.mark === 'next' ? '' : 'font-bold'}>
            <span key={hole.label}>{hole.label}</span>
            {hole.detail && <span className="block text-sm font-normal text-ink-2">{hole.detail}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
