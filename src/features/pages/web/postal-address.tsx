import { company } from '#company/company.ts'
import { regionName } from '#src/lib/regions.ts'
import { useLanguage } from '#src/ui/language.tsx'

/** The street address on three lines, as Canada Post writes one. */
export function PostalAddress() {
  const language = useLanguage()
  const { street, city, region, postalCode } = company.address
  return (
    <address className="not-italic">
      <span className="block font-bold">{company.legalName}</span>
      <span className="block">{street}</span>
      <span className="block">{`${city} (${regionName(region, language)}) ${postalCode}`}</span>
    </address>
  )
}
