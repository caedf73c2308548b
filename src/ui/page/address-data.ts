import type { Company } from '#src/lib/company-schema.ts'

/** An address as schema.org writes one. */
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
