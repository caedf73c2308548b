import { company } from '#company/company.ts'
import { locales } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ShownTutorial } from '../contract.ts'
import { telecomTexts } from '../telecom-texts.ts'
import type { TutorialName } from '../values.ts'
import scene from '#src/ui/illustrations/counter.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/tutorial-page.ts'
import { Breadcrumbs } from '#src/ui/page/breadcrumbs.tsx'
import { TextBody } from './text-body.tsx'
import { TableOfContents } from './table-of-contents.tsx'
import { fetchText, findText } from './text-loader.ts'
import { TutorialTiles } from './tutorial-tiles.tsx'
import { VideoPlayer } from './video-player.tsx'

export function loader(args: Route.LoaderArgs) {
  return { text: findText(nameOf(args.request), args), tutorials: args.context.get(pageContext).services.site.findTutorials() }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const [text, tutorials] = await Promise.all([
    fetchText(nameOf(request), { request }),
    getJson<ShownTutorial[]>('/api/site/tutorials'),
  ])
  return { text, tutorials }
}

export const shouldRevalidate = revalidateOn()

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData
    ? pageTags(matches, loaderData.text.title, loaderData.text.description, `/telecom/${loaderData.text.name}`)
    : []
}

/** The four tutorials, which exist in French only: the English site says so and offers another way. */
export default function TutorialPage({ loaderData: { text, tutorials } }: Route.ComponentProps) {
  const t = useTexts(telecomTexts)
  const language = useLanguage()
  const french = language === 'fr' ? undefined : locales.fr
  const video = tutorials.find((tutorial) => tutorial.name === text.name)?.video
  return (
    <div className="wrap">
      <div className="grid gap-5 pt-8 pb-10 md:pt-10">
        <Breadcrumbs
          trail={[
            { name: t('support'), path: '/support' },
            { name: t('documentation'), path: '/telecom/docs' },
            { name: text.title, path: `/telecom/${text.name}` },
          ]}
        />
        {french && (
          <div role="note" className="grid max-w-prose gap-1 rounded-card bg-brand-soft px-6 py-4">
            <p className="font-bold">{t('frenchOnlyTitle')}</p>
            <p>
              {t('frenchOnly', {
                phone: company.phones.tollFree.display.replaceAll(' ', '\u00a0'),
                email: company.emails.telecom,
              })}
            </p>
          </div>
        )}
        <h1 lang={french}>{text.title}</h1>
        <p lang={french} className="max-w-prose text-lg text-ink-2">
          {text.lead}
        </p>
      </div>
      <div className="grid gap-x-16 lg:grid-cols-[1fr_17rem]">
        <div className="grid gap-12">
          {video ? (
            <VideoPlayer key={text.name} video={video} title={text.title} poster={scene} />
          ) : (
            <div className="rounded-card border-2 border-dashed border-line px-6 py-8">
              <p className="font-bold">{t('missingTitle')}</p>
              <p className="text-ink-2">{t('missing')}</p>
            </div>
          )}
          <TextBody text={text} />
        </div>
        <div className="hidden lg:block">
          <TableOfContents sections={text.sections} lang={french} className="sticky top-8" />
        </div>
      </div>
      <section className="mt-16 grid gap-6">
        <h2>{t('otherTutorials')}</h2>
        <TutorialTiles tutorials={tutorials.filter((tutorial) => tutorial.name !== text.name)} />
      </section>
    </div>
  )
}

/** The four addresses end with the name of their text. */
function nameOf(request: Request) {
  return new URL(request.url).pathname.replace(/\/$/, '').split('/').at(-1) as TutorialName
}
