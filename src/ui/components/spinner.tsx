/** The turning ring alone, beside words that already say what goes on. */
export function Spinner({ className = '' }: { className?: string }) {
  return <span className={`spinner ${className}`} aria-hidden="true" />
}
