import { company } from '#company/company.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import type { Job } from '../contract.ts'
import { postedOn } from '../values.ts'

type Dated = Pick<Job, 'opens_on' | 'created_at'>

/** With the day since which it is posted: loaders ask the calendar, so that a first page need not before it answers. */
export function withPostedOn<J extends Dated>(job: J) {
  return { ...job, posted_on: postedOn(job, dayIn(company.hours.timeZone, new Date(job.created_at))) }
}
