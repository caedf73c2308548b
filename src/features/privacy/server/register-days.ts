import { company } from '#company/company.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { Invalid } from '#src/server/problems.ts'

export const today = () => dayIn(company.hours.timeZone, new Date())

/** A register says what happened: none of these days is still to come. */
export function refuseFuture<Field extends string>(input: Readonly<Record<Field, string | null>>, fields: readonly Field[]) {
  const last = today()
  const errors = fields.flatMap((path) => {
    const day = input[path]
    return day !== null && day > last ? [{ path, message: 'still to come' }] : []
  })
  if (errors.length > 0) throw new Invalid('Some values are not valid.', errors)
}
