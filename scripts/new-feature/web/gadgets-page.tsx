import { getJson } from '#src/ui/api.ts'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { describePage } from '#src/ui/page/page-meta.ts'
import type { Gadget } from '../contract.ts'
import { texts } from '../texts.ts'
import type { Route } from './+types/gadgets-page.ts'
import { GadgetCard } from './gadget-card.tsx'

const path = '/gadgets'

export async function loader({ context }: Route.LoaderArgs) {
  return { gadgets: await context.get(pageContext).services.gadgets.findAll() }
}

export async function clientLoader() {
  return { gadgets: await getJson<Gadget[]>('/api/gadgets') }
}

export const shouldRevalidate = revalidateOn('gadgets')

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, texts, 'title', 'metaDescription', path)
}

export default function GadgetsPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(texts)
  const { gadgets } = loaderData
  return (
    <div className="wrap">
      <PageHead title={t('title')} trail={[{ name: t('title'), path }]} />
      {gadgets.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
      ) : (
        <ul className="grid gap-5">
          {gadgets.map((gadget) => (
            <li key={gadget.id_gadget}>
              <GadgetCard gadget={gadget} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
