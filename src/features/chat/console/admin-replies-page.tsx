import { hasRight } from '#src/lib/rights.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { EntryTable } from '#src/features/content/web/entry-list.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { buttonTexts } from '#src/features/content/texts.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { CannedReply } from '../contract.ts'
import { visitorDetailsTexts } from './visitor-details-texts.ts'
import type { Route } from './+types/admin-replies-page.ts'

export { cacheRows as shouldRevalidate } from '#src/features/content/web/entry-list.tsx'

export async function clientLoader() {
  return getJson<CannedReply[]>('/api/chat/canned_replies')
}

/** `/admin/chat/replies`: the canned replies. */
export default function AdminRepliesPage({ loaderData: replies }: Route.ComponentProps) {
  const t = useTexts(visitorDetailsTexts)
  const a = useTexts(buttonTexts)
  const language = useLanguage()
  useRight(['chat'], 'read_only')
  const { rights } = useProfile()
  const textOf = (reply: CannedReply) => pickVariant(language, reply.reply, reply.reply_en)
  return (
    <>
      <AdminHead
        title={t('repliesTitle')}
        backTo="/admin/chat"
        actions={hasRight(rights, 'chat', 'read_write') && <ButtonLink to="/admin/chat/replies/new">{a('add')}</ButtonLink>}
      />
      <EntryTable
        area="chat"
        title={t('repliesTitle')}
        editPath={(reply) => `/admin/chat/replies/${reply.id_canned}`}
        rows={replies}
        rowKey={(reply) => reply.id_canned}
        rowName={(reply) => `/${reply.shortcut}`}
        remove={(reply) => callApi('DELETE', `/api/chat/canned_replies/${reply.id_canned}`)}
        undo={(reply) => callApi('POST', `/api/chat/canned_replies/${reply.id_canned}/undo`)}
        columns={[
          {
            header: t('shortcut'),
            cell: (reply) => `/${reply.shortcut}`,
            text: (reply) => reply.shortcut,
            sortKey: 'shortcut',
            isRowHeader: true,
            className: 'sm:w-56',
          },
          {
            header: t('reply'),
            isText: true,
            cell: (reply) => (
              <span className="line-clamp-3 max-w-prose whitespace-pre-line" lang={textOf(reply).lang}>
                {textOf(reply).text}
              </span>
            ),
            text: (reply) => textOf(reply).text,
          },
        ]}
        emptyTitle={t('repliesEmpty')}
        emptyHint={t('repliesEmptyHint')}
      />
    </>
  )
}
