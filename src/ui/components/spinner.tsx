/** Spinner without a text, beside a text that describes what happens. */
export function Spinner({ className = '' }: { className?: string }) {
  return <span className={`spinner ${className}`} aria-hidden="true" />
}
