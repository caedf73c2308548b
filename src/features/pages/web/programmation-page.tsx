import { useTexts } from '#src/ui/language.tsx'
import { pageTexts } from '../page-texts.ts'
import scene from '#src/ui/illustrations/training.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/programmation-page.ts'
import { OtherServices } from './other-services.tsx'
import { fetchText, findText } from './text-loader.ts'
import { TextPage } from './text-page.tsx'

export function loader(args: Route.LoaderArgs) {
  return findText('programmation', args)
}

export function clientLoader(args: Route.ClientLoaderArgs) {
  return fetchText('programmation', args)
}

export const shouldRevalidate = revalidateOn()

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.title, loaderData.description, '/programmation') : []
}

export default function ProgrammationPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(pageTexts)
  return (
    <TextPage
      text={loaderData}
      path="/programmation"
      scene={{ src: scene, alt: t('programmingScene') }}
      aside={<OtherServices current="/programmation" />}
    />
  )
}
