import { useTexts } from '#src/ui/language.tsx'
import { pageTexts } from '../page-texts.ts'
import scene from '#src/ui/illustrations/server-room.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/cloud-page.ts'
import { OtherServices } from './other-services.tsx'
import { fetchText, findText } from './text-loader.ts'
import { TextPage } from './text-page.tsx'

export function loader(args: Route.LoaderArgs) {
  return findText('cloud', args)
}

export function clientLoader(args: Route.ClientLoaderArgs) {
  return fetchText('cloud', args)
}

export const shouldRevalidate = revalidateOn()

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.title, loaderData.description, '/cloud') : []
}

export default function CloudPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(pageTexts)
  return (
    <TextPage
      text={loaderData}
      path="/cloud"
      scene={{ src: scene, alt: t('cloudScene') }}
      aside={<OtherServices current="/cloud" />}
    />
  )
}
