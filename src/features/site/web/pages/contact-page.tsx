import { company } from '#company/company.ts'
import { translator } from '#src/lib/texts.ts'
import { getJson } from '#src/ui/api.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { MapSettings } from '../../contract.ts'
import { contactTexts } from '../../contact-texts.ts'
import { texts } from '../../texts.ts'
import { pageContext } from '../page-context.ts'
import { languageOf, pageTags } from '../page-meta.ts'
import type { Route } from './+types/contact-page.ts'
import { BusinessJsonLd } from './business-json-ld.tsx'
import { ContactBlock } from './contact-block.tsx'
import { PageHead } from './page-head.tsx'
import { PlaceMap } from './place-map.tsx'

const path = '/contact'

export function loader({ context }: Route.LoaderArgs) {
  return { map: context.get(pageContext).services.site.findMap() }
}

export async function clientLoader() {
  return { map: await getJson<MapSettings>('/api/site/map') }
}

export function meta({ matches }: Route.MetaArgs) {
  const t = translator(contactTexts, languageOf(matches))
  return pageTags(matches, t('metaTitle'), t('metaDescription', { company: company.name, city: company.address.city }), path)
}

export default function ContactPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(contactTexts)
  const names = useTexts(texts)
  return (
    <div className="wrap">
      <PageHead title={t('title')} lead={t('subtitle')} trail={[{ name: names('contact'), path }]} />
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[1fr_24rem]">
        <section aria-labelledby="contact-form">
          <h2 id="contact-form" className="text-2xl">
            {t('formTitle')}
          </h2>
        </section>
        <ContactBlock />
      </div>
      <section aria-labelledby="contact-map" className="mt-16 grid gap-6">
        <h2 id="contact-map">{t('mapTitle')}</h2>
        <PlaceMap settings={loaderData.map} />
      </section>
      <BusinessJsonLd />
    </div>
  )
}
