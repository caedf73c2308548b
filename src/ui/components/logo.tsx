import { company } from '#company/company.ts'

/** Logo: the sign and the company's name. */
export function Logo({ className = '' }: { className?: string }) {
  const { logo } = company
  // The address ends with the width of a picture 96 pixels high.
  const width = logo && Number.parseInt(logo.slice(40))
  return (
    <span className={`inline-flex items-center gap-2 text-xl font-extrabold sm:gap-2.5 sm:text-2xl tracking-tight ${className}`}>
      {width ? (
        <svg viewBox={`0 0 ${width} 96`} width={Math.min(width * 0.354, 56)} height="34" aria-hidden="true">
          <image href={logo} height="96" />
        </svg>
      ) : (
        <svg viewBox="0 0 32 32" width="34" height="34" aria-hidden="true" focusable="false">
          <path fill="currentColor" d="M4 27V15a12 12 0 0 1 24 0v12h2v3H2v-3z" />
          <path className="fill-paper" d="M8 27V15a8 8 0 0 1 16 0v12z" />
          <circle className="fill-lamp" cx="16" cy="15.5" r="4.25" />
        </svg>
      )}
      <span>{company.name}</span>
    </span>
  )
}
