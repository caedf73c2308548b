import { Link } from './link.tsx'

type PeriodLinksProps<Period extends string> = {
  /** The accessible name of the choice. */
  label: string
  periods: readonly Period[]
  current: Period
  nameOf: (period: Period) => string
  /** The parameter of the address that has the period. */
  parameter: string
}

/** The periods of a history, as links to the same page. */
export function PeriodLinks<Period extends string>({ label, periods, current, nameOf, parameter }: PeriodLinksProps<Period>) {
  return (
    <nav aria-label={label}>
      <ul className="flex gap-5">
        {periods.map((period) => (
          <li key={period}>
            <Link
              to={`?${parameter}=${period}`}
              replace
              preventScrollReset
              aria-current={period === current ? 'true' : undefined}
              className={`inline-block py-2 ${period === current ? 'font-bold' : 'text-brand underline underline-offset-2'}`}
            >
              {nameOf(period)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
