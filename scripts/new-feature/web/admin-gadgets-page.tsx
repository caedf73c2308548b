import { EntryList } from '#src/features/content/web/entry-list.tsx'
import { pickText } from '#src/lib/language/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminGadgetTexts } from '../admin-texts.ts'
import type { Gadget } from '../contract.ts'
import type { Route } from './+types/admin-gadgets-page.ts'

export { cacheRows as shouldRevalidate } from '#src/features/content/web/entry-list.tsx'

export async function clientLoader() {
  return { gadgets: await getJson<Gadget[]>('/api/gadgets') }
}

export default function AdminGadgetsPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(adminGadgetTexts)
  const language = useLanguage()
  const nameOf = (gadget: Gadget) => pickText(language, gadget.name, gadget.name_en)
  return (
    <EntryList
      area="gadgets"
      title={t('title')}
      createPath="/admin/gadgets/new"
      editPath={(gadget) => `/admin/gadgets/${gadget.id_gadget}`}
      rows={loaderData.gadgets}
      rowKey={(gadget) => gadget.id_gadget}
      rowName={nameOf}
      remove={(gadget) => callApi('DELETE', `/api/gadgets/${gadget.id_gadget}`)}
      columns={[{ header: t('name'), cell: nameOf, text: nameOf, sortKey: 'name', isRowHeader: true }]}
      emptyTitle={t('empty')}
      emptyHint={t('emptyHint')}
    />
  )
}
