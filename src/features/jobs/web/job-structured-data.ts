import type { JobPosting } from 'schema-dts'
import { company } from '#company/company.ts'
import { describeAddress } from '#src/ui/page/business-data.ts'
import { endOfDay } from '#src/lib/time/dates.ts'
import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import type { Job } from '../contract.ts'

export type PostedJob = Job & { posted_on: string }

/** Structured data of a posting: title, description, date, organization and place are required by Google. */
export function describeJob(job: PostedJob, origin: string, language: Language) {
  return {
    '@type': 'JobPosting',
    title: pickText(language, job.titre, job.titre_en),
    description: pickText(language, job.description, job.description_en),
    datePosted: job.posted_on,
    ...(job.employment_type ? { employmentType: job.employment_type } : {}),
    ...(job.closes_on ? { validThrough: endOfDay(company.hours.timeZone, job.closes_on) } : {}),
    identifier: { '@type': 'PropertyValue', name: company.name, value: String(job.id_emploi) },
    hiringOrganization: {
      '@type': 'Organization',
      name: company.legalName,
      sameAs: origin,
      logo: `${origin}/icon-512.png`,
    },
    jobLocation: { '@type': 'Place', address: describeAddress(company.address) },
    url: `${origin}/emploi/voir/${job.id_emploi}`,
    directApply: true,
  } satisfies JobPosting
}
