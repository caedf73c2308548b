import { useLanguage } from '#src/ui/language.tsx'
import { describeBusiness } from './business-data.ts'
import { JsonLd } from './json-ld.tsx'
import { useOrigin } from './use-origin.ts'

export function BusinessJsonLd() {
  const origin = useOrigin()
  const language = useLanguage()
  return (
    <JsonLd
      data={import.meta.env.SSR ? describeBusiness(origin, language) : null}
      load={async () => (await import('./business-data.ts')).describeBusiness(origin, language)}
    />
  )
}
