import { company } from '#company/company.ts'
import { holidays } from '#company/holidays.ts'
import { sharingTexts } from '#company/sharing.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages, locales } from '#src/lib/language/language.ts'
import type { Company } from '#src/lib/company-schema.ts'

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The company as a schema.org `ProfessionalService`. */
export function describeBusiness(origin: string, language: Language) {
  const { address, phones, emails, hours, links } = company
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
    openingHoursSpecification: {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: hours.days.map((day) => dayNames[day - 1]),
      opens: hours.opens,
      closes: hours.closes,
    },
    // Opening and closing at midnight means closed.
    specialOpeningHoursSpecification: holidays.map(({ date }) => ({
      '@type': 'OpeningHoursSpecification',
      validFrom: date,
      validThrough: date,
      opens: '00:00',
      closes: '00:00',
    })),
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
  }
}

/** A schema.org `PostalAddress`. */
export function describeAddress({ street, city, region, postalCode, country }: Company['address']) {
  return {
    '@type': 'PostalAddress',
    streetAddress: street,
    addressLocality: city,
    addressRegion: region,
    postalCode,
    addressCountry: country,
  }
}
