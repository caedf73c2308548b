import type { Schedule } from '#src/lib/time/business-hours.ts'
import { useLanguage } from '../language.tsx'
import { JsonLd } from './json-ld.tsx'
import { useOrigin } from './public-context.ts'

const onServer = import.meta.env.SSR ? await import('./business-data.ts') : null

type BusinessJsonLdProps = {
  /** Rendered by the server; after a client navigation the browser loads it. */
  hours: Schedule | null
}

export function BusinessJsonLd({ hours }: BusinessJsonLdProps) {
  const origin = useOrigin()
  const language = useLanguage()
  return (
    <JsonLd
      data={(hours && onServer?.describeBusiness(origin, language, hours)) ?? null}
      load={async () => (await import('./business-data.ts')).loadBusiness(origin, language)}
    />
  )
}
