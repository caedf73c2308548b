import type { OpeningHoursSpecification, PostalAddress, ProfessionalService } from 'schema-dts'
import { company } from '#company/company.ts'
import { sharingTexts } from '#company/sharing.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages, locales } from '#src/lib/language/language.ts'
import type { Company } from '#src/lib/company-schema.ts'
import type { Schedule, TimeSpan } from '#src/lib/time/business-hours.ts'
import { getJson } from '../api.ts'

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The same in the browser, after a navigation. */
export async function loadBusiness(origin: string, language: Language) {
  const { hours } = await getJson<{ hours: Schedule }>('/public_api/chat/available-users')
  return describeBusiness(origin, language, hours)
}

/** The company as a schema.org `ProfessionalService`. */
export function describeBusiness(origin: string, language: Language, { week, holidays }: Schedule) {
  const { address, phones, emails, links } = company
  return {
    '@type': 'ProfessionalService',
    '@id': `${origin}/#company`,
    name: company.name,
    legalName: company.legalName,
    description: sharingTexts[language].description,
    url: `${origin}/`,
    image: `${origin}/share-${language}.png`,
    logo: `${origin}/icon-512.png`,
    foundingDate: String(company.foundedYear),
    telephone: phones.tollFree.e164,
    faxNumber: phones.fax.e164,
    email: emails.support,
    areaServed: 'CA-QC',
    knowsLanguage: languages.map((one) => locales[one]),
    address: describeAddress(address),
    geo: { '@type': 'GeoCoordinates', latitude: address.latitude, longitude: address.longitude },
    openingHoursSpecification: describeOpenings(week),
    specialOpeningHoursSpecification: holidays.flatMap(({ date, spans }) =>
      (spans.length === 0 ? [closed] : spans).map((span) => ({
        '@type': 'OpeningHoursSpecification',
        validFrom: date,
        validThrough: date,
        ...toSchemaTimes(span),
      })),
    ),
    contactPoint: [
      {
        '@type': 'ContactPoint',
        contactType: 'technical support',
        telephone: phones.tollFree.e164,
        availableLanguage: ['French', 'English'],
        hoursAvailable: { '@type': 'OpeningHoursSpecification', dayOfWeek: dayNames, opens: '00:00', closes: '23:59' },
      },
      { '@type': 'ContactPoint', contactType: 'customer service', telephone: phones.quebec.e164, email: emails.support },
    ],
    sameAs: links.socials.map((social) => social.url),
  } satisfies ProfessionalService
}

/** One `OpeningHoursSpecification` for the days that share the same hours. */
function describeOpenings(week: Schedule['week']) {
  const all = week.flatMap(({ day, spans }) => spans.map((span) => ({ day, span, key: `${span.opens} ${span.closes}` })))
  return [...Map.groupBy(all, ({ key }) => key).values()].map((same) => ({
    '@type': 'OpeningHoursSpecification' as const,
    dayOfWeek: same.flatMap(({ day }) => dayNames[day - 1] ?? []),
    ...toSchemaTimes(same[0]?.span ?? closed),
  })) satisfies OpeningHoursSpecification[]
}

/** Opening and closing at midnight means closed. */
const closed: TimeSpan = { opens: '00:00', closes: '00:00' }

/** schema.org has no 24:00. */
const toSchemaTimes = ({ opens, closes }: TimeSpan) => ({ opens, closes: closes === '24:00' ? '23:59' : closes })

/** A schema.org `PostalAddress`. */
export function describeAddress({ street, city, region, postalCode, country }: Company['address']) {
  return {
    '@type': 'PostalAddress',
    streetAddress: street,
    addressLocality: city,
    addressRegion: region,
    postalCode,
    addressCountry: country,
  } satisfies PostalAddress
}
