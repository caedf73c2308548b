import { useTexts } from '#src/ui/language.tsx'
import { pageTexts } from '../page-texts.ts'
import scene from '#src/ui/illustrations/team-lunch.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/about-page.ts'
import { fetchText, findText } from './text-loader.ts'
import { TextPage } from './text-page.tsx'

export function loader(args: Route.LoaderArgs) {
  return findText('about', args)
}

export function clientLoader(args: Route.ClientLoaderArgs) {
  return fetchText('about', args)
}

export const shouldRevalidate = revalidateOn()

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.title, loaderData.description, '/about') : []
}

export default function AboutPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(pageTexts)
  return <TextPage text={loaderData} path="/about" scene={{ src: scene, alt: t('aboutScene') }} />
}
