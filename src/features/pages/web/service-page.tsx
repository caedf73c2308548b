import { useTexts } from '#src/ui/language.tsx'
import { pageTexts } from '../page-texts.ts'
import scene from '#src/ui/illustrations/workshop.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/service-page.ts'
import { OtherServices } from './other-services.tsx'
import { fetchText, findText } from './text-loader.ts'
import { TextPage } from './text-page.tsx'

export function loader(args: Route.LoaderArgs) {
  return findText('service', args)
}

export function clientLoader(args: Route.ClientLoaderArgs) {
  return fetchText('service', args)
}

export const shouldRevalidate = revalidateOn()

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.title, loaderData.description, '/service') : []
}

export default function ServicePage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(pageTexts)
  return (
    <TextPage
      text={loaderData}
      path="/service"
      scene={{ src: scene, alt: t('serviceScene') }}
      aside={<OtherServices current="/service" />}
    />
  )
}
