import { company } from '#company/company.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { discoveryTexts } from '../../discovery-texts.ts'
import { JsonLd } from './json-ld.tsx'
import { useOrigin } from './use-origin.ts'

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The company as search engines know one: where it is, when it is open, how to call it. */
export function BusinessJsonLd() {
  const origin = useOrigin()
  const language = useLanguage()
  const t = useTexts(discoveryTexts)
  const { address, phones, emails, hours, links } = company
  return (
    <JsonLd
      data={{
        '@type': 'ProfessionalService',
        '@id': `${origin}/#company`,
        name: company.name,
        legalName: company.legalName,
        description: t('manifestDescription'),
        url: `${origin}/`,
        image: `${origin}/share-${language}.png`,
        logo: `${origin}/icon-512.png`,
        foundingDate: String(company.foundedYear),
        telephone: phones.tollFree.e164,
        faxNumber: phones.fax.e164,
        email: emails.support,
        areaServed: 'CA-QC',
        knowsLanguage: ['fr-CA', 'en-CA'],
        address: {
          '@type': 'PostalAddress',
          streetAddress: address.street,
          addressLocality: address.city,
          addressRegion: address.region,
          postalCode: address.postalCode,
          addressCountry: address.country,
        },
        geo: { '@type': 'GeoCoordinates', latitude: address.latitude, longitude: address.longitude },
        openingHoursSpecification: {
          '@type': 'OpeningHoursSpecification',
          dayOfWeek: hours.days.map((day) => dayNames[day - 1]),
          opens: hours.opens,
          closes: hours.closes,
        },
        // Opening and closing at midnight is how a closed day is written.
        specialOpeningHoursSpecification: hours.holidays.map(({ date }) => ({
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
      }}
    />
  )
}
