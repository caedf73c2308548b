import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { describePage } from '#src/ui/page/page-meta.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { serviceCallTexts } from '../service-call-texts.ts'
import type { Route } from './+types/service-call-page.ts'
import { answerPost } from './answer-post.ts'
import { NetworkNotice } from './network-notice.tsx'
import { ServiceCallAside } from './service-call-aside.tsx'
import { ServiceCallForm } from './service-call-form.tsx'

const path = '/appel-de-service'

export function loader({ context }: Route.LoaderArgs) {
  return context.get(pageContext).services.requests.startForm('support')
}

export function clientLoader() {
  return { shownAt: null, clientId: null }
}

export const shouldRevalidate = revalidateOn()

export function action(args: Route.ActionArgs) {
  return answerPost(args, 'support')
}

export function headers({ actionHeaders, loaderHeaders }: Route.HeadersArgs) {
  return actionHeaders ?? loaderHeaders
}

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, serviceCallTexts, 'title', 'description', path)
}

export default function ServiceCallPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useTexts(serviceCallTexts)
  return (
    <div className="wrap">
      <PageHead title={t('title')} lead={t('lead')} trail={[{ name: t('title'), path }]} />
      <NetworkNotice />
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_20rem]">
        <div className="card p-6 sm:p-8">
          <ServiceCallForm posted={actionData} start={loaderData} />
        </div>
        <ServiceCallAside />
      </div>
    </div>
  )
}
