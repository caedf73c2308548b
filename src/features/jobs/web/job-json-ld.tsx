import { company } from '#company/company.ts'
import { JsonLd } from '#src/features/site/web/pages/json-ld.tsx'
import { useOrigin } from '#src/features/site/web/pages/use-origin.ts'
import { dayIn, endOfDay } from '#src/lib/dates.ts'
import { pickText } from '#src/lib/language.ts'
import { useLanguage } from '#src/ui/language.tsx'
import type { Job } from '../contract.ts'
import { postedOn } from '../values.ts'

/** The posting as search engines want it: title, description, date, organisation and place are what Google requires. */
export function JobJsonLd({ job }: { job: Job }) {
  const language = useLanguage()
  const origin = useOrigin()
  const title = pickText(language, job.titre, job.titre_en)
  const description = pickText(language, job.description, job.description_en)
  // Without these it is not a valid posting, and is better left unsaid.
  if (!title || !description) return null
  const { address } = company
  const posting = {
    '@type': 'JobPosting',
    title,
    description,
    datePosted: postedOn(job, dayIn(company.hours.timeZone, new Date(job.created_at))),
    ...(job.closes_on ? { validThrough: endOfDay(company.hours.timeZone, job.closes_on) } : {}),
    identifier: { '@type': 'PropertyValue', name: company.name, value: String(job.id_emploi) },
    hiringOrganization: {
      '@type': 'Organization',
      name: company.legalName,
      sameAs: origin,
      logo: `${origin}/icon-512.png`,
    },
    jobLocation: {
      '@type': 'Place',
      address: {
        '@type': 'PostalAddress',
        streetAddress: address.street,
        addressLocality: address.city,
        addressRegion: address.region,
        postalCode: address.postalCode,
        addressCountry: address.country,
      },
    },
    url: `${origin}/emploi/voir/${job.id_emploi}`,
    directApply: false,
  }
  return <JsonLd key={`${job.id_emploi} ${job.version}`} data={posting} load={() => Promise.resolve(posting)} />
}
