import { useTexts } from '#src/ui/language.tsx'
import { pageTexts } from '../page-texts.ts'
import scene from '#src/ui/illustrations/wiring-closet.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/infrastructure-page.ts'
import { OtherServices } from './other-services.tsx'
import { fetchText, findText } from './text-loader.ts'
import { TextPage } from './text-page.tsx'

export function loader(args: Route.LoaderArgs) {
  return findText('infrastructure', args)
}

export function clientLoader(args: Route.ClientLoaderArgs) {
  return fetchText('infrastructure', args)
}

export const shouldRevalidate = revalidateOn()

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.title, loaderData.description, '/infrastructure') : []
}

export default function InfrastructurePage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(pageTexts)
  return (
    <TextPage
      text={loaderData}
      path="/infrastructure"
      scene={{ src: scene, alt: t('infrastructureScene') }}
      aside={<OtherServices current="/infrastructure" />}
    />
  )
}
