import { getJson } from '#src/ui/api.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { OfferedFile, ShownTutorial } from '../contract.ts'
import { telecomTexts, TutorialTiles } from './tutorial-tiles.tsx'
import scene from '#src/ui/illustrations/counter.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/telecom-docs-page.ts'
import { DownloadList } from './download-list.tsx'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { TextBody } from './text-body.tsx'
import { fetchText, findText } from './text-loader.ts'

const path = '/telecom/docs'

export async function loader(args: Route.LoaderArgs) {
  const { site } = args.context.get(pageContext).services
  const [text, downloads] = await Promise.all([findText('telecom_docs', args), site.findDownloads()])
  return { text, tutorials: site.findTutorials(), downloads }
}

export async function clientLoader(args: Route.ClientLoaderArgs) {
  const [text, tutorials, downloads] = await Promise.all([
    fetchText('telecom_docs', args),
    getJson<ShownTutorial[]>('/api/site/tutorials'),
    getJson<OfferedFile[]>('/api/site/downloads'),
  ])
  return { text, tutorials, downloads }
}

export const shouldRevalidate = revalidateOn('company')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.text.title, loaderData.text.description, path) : []
}

export default function TelecomDocsPage({ loaderData: { text, tutorials, downloads } }: Route.ComponentProps) {
  const t = useTexts(telecomTexts)
  return (
    <div className="wrap">
      <PageHead
        title={text.title}
        lead={text.lead}
        trail={[
          { name: t('support'), path: '/support' },
          { name: text.title, path },
        ]}
        scene={{ src: scene, alt: t('scene') }}
      />
      <section className="grid gap-6">
        <h2>{t('tutorials')}</h2>
        <TutorialTiles tutorials={tutorials} />
      </section>
      <section className="mt-16 grid gap-6">
        <div className="grid gap-2">
          <h2>{t('softphoneTitle')}</h2>
          <p className="max-w-prose text-ink-2">{t('softphoneText')}</p>
        </div>
        <DownloadList files={downloads.filter((file) => file.use === 'softphone')} />
      </section>
      <div className="mt-16">
        <TextBody text={text} />
      </div>
    </div>
  )
}
