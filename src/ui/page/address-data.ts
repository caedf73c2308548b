import type { Company } from '#src/lib/company-schema.ts'

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
