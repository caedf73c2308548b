import { PageHead } from '#src/ui/page/page-head.tsx'
import { pageTags } from '#src/ui/page/page-meta.ts'
import { texts } from '#src/ui/page/site-texts.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { Route } from './+types/accessibility-page.ts'
import { TableOfContents, TextBody } from './text-body.tsx'
import { fetchText, findText } from './text-loader.ts'

const path = '/about/accessibility'

export function loader(args: Route.LoaderArgs) {
  return findText('accessibility', args)
}

export function clientLoader(args: Route.ClientLoaderArgs) {
  return fetchText('accessibility', args)
}

export const shouldRevalidate = revalidateOn('company')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.title, loaderData.description, path) : []
}

/** The statement: the standard, what is checked and when, known limits, how to complain. */
export default function AccessibilityPage({ loaderData: text }: Route.ComponentProps) {
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
      <div className="grid gap-x-16 gap-y-8 border-t border-line pt-10 lg:grid-cols-[17rem_1fr]">
        <div className="grid content-start gap-8 lg:sticky lg:top-8 lg:self-start">
          <TableOfContents sections={text.sections} />
        </div>
        <TextBody text={text} />
      </div>
    </div>
  )
}
