import { useRevalidator } from 'react-router'
import { hasRight } from '#src/lib/rights.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import type { Block } from '../contract.ts'
import { visitorDetailsTexts } from './visitor-details-texts.ts'
import type { Route } from './+types/admin-blocks-page.ts'

export async function clientLoader() {
  return getJson<Block[]>('/api/chat/blocks')
}

/** `/admin/chat/blocks`: the blocked visitors, and their unblocking. */
export default function AdminBlocksPage({ loaderData: blocks }: Route.ComponentProps) {
  const t = useTexts(visitorDetailsTexts)
  useRight(['chat'], 'read_only')
  const { rights } = useProfile()
  const { revalidate } = useRevalidator()
  const { run, toast } = useAction()
  const nameOf = ({ id_block: number, email, by_address: byAddress }: Block) =>
    [email, byAddress && t('addressOf', { number })].filter(Boolean).join(', ')

  const handleLift = async (block: Block) => {
    await run(() => callApi('DELETE', `/api/chat/blocks/${block.id_block}`), { done: t('lifted') })
    await revalidate()
    // The focused button disappears with its row.
    document.querySelector<HTMLElement>('#content')?.focus()
  }
  const actions = {
    header: t('lift'),
    cell: (block: Block) => (
      <Button
        variant="secondary"
        size="small"
        aria-label={t('liftOne', { name: nameOf(block) })}
        onClick={() => void handleLift(block)}
      >
        {t('lift')}
      </Button>
    ),
  }

  return (
    <>
      <AdminHead title={t('blocksTitle')} backTo="/admin/chat" />
      {blocks.length === 0 ? (
        <EmptyState title={t('blocksEmpty')}>{t('blocksEmptyHint')}</EmptyState>
      ) : (
        <Table
          caption={t('blocksTitle')}
          rows={blocks}
          rowKey={(block) => block.id_block}
          columns={[
            { header: t('who'), cell: nameOf, isRowHeader: true },
            { header: t('reason'), isText: true, cell: (block) => block.reason },
            { header: t('until'), cell: (block) => (block.until ? <Moment at={block.until} /> : t('always')) },
            {
              header: t('by'),
              cell: (block) => (
                <>
                  <span>{`${block.user_name}, `}</span>
                  <Moment at={block.created_at} />
                </>
              ),
            },
          ]}
          {...(hasRight(rights, 'chat', 'read_write') ? { actions } : {})}
        />
      )}
      <Toast {...toast} />
    </>
  )
}
