import { useLanguage } from '../language.tsx'
import { JsonLd } from './json-ld.tsx'
import { useOrigin } from './public-context.ts'

const onServer = import.meta.env.SSR ? await import('./business-data.ts') : null

export function BusinessJsonLd() {
  const origin = useOrigin()
  const language = useLanguage()
  return (
    <JsonLd
      data={onServer?.describeBusiness(origin, language) ?? null}
      load={async () => (await import('./business-data.ts')).describeBusiness(origin, language)}
    />
  )
}
