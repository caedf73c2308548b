import type { ComponentType } from 'react'
import { lazy, Suspense } from 'react'
import { company } from '#company/company.ts'
import { handleFormPost } from '#src/features/requests/web/form-action.ts'
import { ContactForm } from '#src/features/requests/web/contact-form.tsx'
import { getJson } from '#src/ui/api.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { BusinessJsonLd } from '#src/ui/page/business-json-ld.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { usePublicContext } from '#src/ui/page/public-context.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import { texts } from '#src/ui/page/site-texts.ts'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { contactTexts } from '../contact-texts.ts'
import type { MapSettings } from '../contract.ts'
import type { Route } from './+types/contact-page.ts'
import { PostalAddress } from './postal-address.tsx'
import { fetchText, findText } from './text-loader.ts'

const path = '/contact'

// Rendered on the server; its script loads after the page's own, which handles the form.
type Map = ComponentType<{ settings: MapSettings }>
const loadMap = async (): Promise<{ default: Map }> => ({ default: (await import('./place-map.tsx')).PlaceMap })
const PlaceMap = import.meta.env.SSR ? (await loadMap()).default : lazy(() => loadMap().catch(() => ({ default: () => null })))

export async function loader(args: Route.LoaderArgs) {
  const { site, requests } = args.context.get(pageContext).services
  const [text, hours] = await Promise.all([findText('contact', args), site.findHours()])
  return { text, hours, map: site.findMap(), ...requests.startForm('contact') }
}

export async function clientLoader(args: Route.ClientLoaderArgs) {
  const [text, map] = await Promise.all([fetchText('contact', args), getJson<MapSettings>('/api/site/map')])
  return { text, map, hours: null, shownAt: null, clientId: null }
}

export const shouldRevalidate = revalidateOn('company')

export function action(args: Route.ActionArgs) {
  return handleFormPost(args, 'contact')
}

export function headers({ actionHeaders, loaderHeaders }: Route.HeadersArgs) {
  return actionHeaders ?? loaderHeaders
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.text.title, loaderData.text.description, path) : []
}

export default function ContactPage({ loaderData: { text, map, hours, ...start }, actionData }: Route.ComponentProps) {
  const t = useTexts(contactTexts)
  const names = useTexts(texts)
  const language = useLanguage()
  const outage = usePublicContext().network?.strip[language]
  return (
    <div className="wrap">
      <PageHead title={text.title} lead={text.lead} trail={[{ name: names('contact'), path }]} />
      <div role="status">{outage && <RichText html={outage} className="mb-6" />}</div>
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
      <BusinessJsonLd hours={hours} />
    </div>
  )
}

/** Every way to reach the company: phones, fax, two emails, address and opening hours. */
export function ContactBlock({ html }: { html: string }) {
  const t = useTexts(contactTexts)
  const { phones, emails } = company
  return (
    <section aria-labelledby="contact-block" className="night grid content-start gap-6 rounded-scene px-6 py-8 sm:px-8">
      <h2 id="contact-block" className="text-2xl">
        {t('blockTitle')}
      </h2>
      <dl className="grid gap-5">
        <Way name={t('quebec')} href={`tel:${phones.quebec.e164}`} value={phones.quebec.display} />
        <Way name={t('tollFree')} href={`tel:${phones.tollFree.e164}`} value={phones.tollFree.display} />
        <Way name={t('fax')} value={phones.fax.display} />
        <Way name={t('supportEmail')} href={`mailto:${emails.support}`} value={emails.support} />
        <Way name={t('telecomEmail')} href={`mailto:${emails.telecom}`} value={emails.telecom} />
        <div>
          <dt className="text-sm text-ink-2">{t('address')}</dt>
          <dd>
            <PostalAddress />
          </dd>
        </div>
      </dl>
      <RichText html={html} className="prose border-t border-line pt-5 text-sm" />
    </section>
  )
}

function Way({ name, value, href }: { name: string; value: string; href?: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{name}</dt>
      <dd className="tabular font-bold">
        {href ? (
          <a href={href} className="inline-block py-0.5 wrap-anywhere underline-offset-4 hover:underline">
            {value}
          </a>
        ) : (
          <span className="tabular">{value}</span>
        )}
      </dd>
    </div>
  )
}
