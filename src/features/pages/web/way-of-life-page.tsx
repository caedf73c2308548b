import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Scene } from '../contract.ts'
import { texts } from '#src/ui/page/site-texts.ts'
import { wayOfLifeTexts, Carousel } from './carousel.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/way-of-life-page.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { TextBody } from './text-body.tsx'
import { fetchText, findText } from './text-loader.ts'

const path = '/wayOfLife'

export async function loader(args: Route.LoaderArgs) {
  return { text: await findText('way_of_life', args), scenes: args.context.get(pageContext).services.site.findScenes() }
}

export async function clientLoader(args: Route.ClientLoaderArgs) {
  const [text, scenes] = await Promise.all([fetchText('way_of_life', args), getJson<Scene[]>('/api/site/scenes')])
  return { text, scenes }
}

export const shouldRevalidate = revalidateOn('company')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.text.title, loaderData.text.description, path) : []
}

export default function WayOfLifePage({ loaderData: { text, scenes } }: Route.ComponentProps) {
  const t = useTexts(wayOfLifeTexts)
  const names = useTexts(texts)
  return (
    <div className="wrap">
      <PageHead
        title={text.title}
        lead={text.lead}
        trail={[
          { name: names('about'), path: '/about' },
          { name: text.title, path },
        ]}
      />
      <Carousel scenes={scenes} />
      <div className="mt-16 grid gap-8">
        <TextBody text={text} />
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/emploi">{t('careers')}</ButtonLink>
          <ButtonLink to="/team" variant="secondary">
            {t('team')}
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}
