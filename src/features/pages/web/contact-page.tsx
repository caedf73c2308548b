import type { ComponentType } from 'react'
import { lazy, Suspense } from 'react'
import { answerPost } from '#src/features/requests/web/answer-post.ts'
import { ContactForm } from '#src/features/requests/web/contact-form.tsx'
import { getJson } from '#src/ui/api.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { MapSettings } from '../contract.ts'
import { contactTexts } from '../contact-texts.ts'
import { texts } from '#src/ui/page/site-texts.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/contact-page.ts'
import { BusinessJsonLd } from '#src/ui/page/business-json-ld.tsx'
import { ContactBlock } from './contact-block.tsx'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { fetchText, findText } from './text-loader.ts'

const path = '/contact'

// It comes whole from the server; its script follows the page's own, which has the form to see to.
type Map = ComponentType<{ settings: MapSettings }>
const loadMap = async (): Promise<{ default: Map }> => ({ default: (await import('./place-map.tsx')).PlaceMap })
const PlaceMap = import.meta.env.SSR ? (await loadMap()).default : lazy(() => loadMap().catch(() => ({ default: () => null })))

export function loader(args: Route.LoaderArgs) {
  const { site, requests } = args.context.get(pageContext).services
  return { text: findText('contact', args), map: site.findMap(), ...requests.startForm('contact') }
}

export async function clientLoader(args: Route.ClientLoaderArgs) {
  const [text, map] = await Promise.all([fetchText('contact', args), getJson<MapSettings>('/api/site/map')])
  return { text, map, shownAt: null, clientId: null }
}

export const shouldRevalidate = revalidateOn()

export function action(args: Route.ActionArgs) {
  return answerPost(args, 'contact')
}

export function headers({ actionHeaders, loaderHeaders }: Route.HeadersArgs) {
  return actionHeaders ?? loaderHeaders
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.text.title, loaderData.text.description, path) : []
}

export default function ContactPage({ loaderData: { text, map, ...start }, actionData }: Route.ComponentProps) {
  const t = useTexts(contactTexts)
  const names = useTexts(texts)
  return (
    <div className="wrap">
      <PageHead title={text.title} lead={text.lead} trail={[{ name: names('contact'), path }]} />
      <div className="grid items-start gap-x-12 gap-y-10 lg:grid-cols-[1fr_24rem]">
        <section aria-labelledby="contact-form" className="card p-6 sm:p-8">
          <h2 id="contact-form" className="mb-6 text-2xl">
            {t('formTitle')}
          </h2>
          <ContactForm posted={actionData} start={start} />
        </section>
        <ContactBlock html={text.html} />
      </div>
      <section aria-labelledby="contact-map" className="mt-16 grid gap-6">
        <h2 id="contact-map">{t('mapTitle')}</h2>
        <Suspense fallback={null}>
          <PlaceMap settings={map} />
        </Suspense>
      </section>
      <BusinessJsonLd />
    </div>
  )
}
