import { data } from 'react-router'
import { company } from '#company/company.ts'
import { callApi } from '#src/ui/api.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { orNotFound } from '#src/ui/page/page-errors.tsx'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { missingPageTags } from '#src/ui/page/page-meta.ts'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { SubscriptionPage } from '../server/subscriber-routes.ts'
import { texts } from '../texts.ts'
import type { Route } from './+types/subscription-page.ts'
import './networks.css'

export { PageErrorBoundary as ErrorBoundary } from '#src/ui/page/page-errors.tsx'

/** The address is the key to the subscription: no search engine, no cache and no other site may learn it. */
const secretHeaders = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' }
const doneOf = (request: Request) => new URL(request.url).searchParams.get('etat')

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { networks } = context.get(pageContext).services
  const { language } = readPreferences(request)
  const page = await orNotFound(networks.findSubscriptionPage(params.token, language, doneOf(request)))
  return data({ page }, { headers: secretHeaders })
}

export async function clientLoader({ request, params: { token } }: Route.ClientLoaderArgs) {
  const input = { token, lang: readStoredPreferences(request).language, done: doneOf(request) }
  return { page: await orNotFound(callApi<SubscriptionPage>('POST', '/public_api/networks/subscription', input)) }
}

export const shouldRevalidate = revalidateOn()

export function headers() {
  return secretHeaders
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return missingPageTags(matches)
  return [
    { title: `${loaderData.page.title} | ${company.name}` },
    { name: 'robots', content: 'noindex, nofollow' },
    { name: 'referrer', content: 'no-referrer' },
  ]
}

/** `/reseau/abonnement/{token}`: confirm, choose or leave, without an account and without JavaScript. */
export default function SubscriptionPageView({ loaderData: { page } }: Route.ComponentProps) {
  const t = useTexts(texts)
  return (
    <div className="wrap">
      <PageHead title={page.title} trail={[{ name: t('title'), path: '/reseau' }]} />
      <RichText html={page.html} className="card mb-12 grid max-w-prose gap-6 p-6" />
    </div>
  )
}
