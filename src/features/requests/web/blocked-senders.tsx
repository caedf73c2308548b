import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { RequestBlock } from '../contract.ts'
import { requestSettingsTexts } from '../settings-texts.ts'

const path = '/api/requests/requests/blocks'

/** Senders whose mail makes no request; one press lets them in again, another undoes that. */
export function BlockedSenders({ blocks, canWrite }: { blocks: RequestBlock[]; canWrite: boolean }) {
  const t = useTexts(requestSettingsTexts)
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [lifted, setLifted] = useState<string | null>(null)
  const handleUnblock = (email: string) =>
    run(async () => {
      await callApi('DELETE', path, { email })
      setLifted(email)
      await revalidate()
      // The focused button disappears with its row.
      document.querySelector<HTMLElement>('#blocked-senders')?.focus()
    }, {})
  const handleUndo = (email: string) =>
    run(
      async () => {
        await callApi('POST', path, { email })
        setLifted(null)
        await revalidate()
      },
      { done: t('blockedAgain', { email }) },
    )
  const actions = {
    header: t('unblock'),
    cell: ({ email }: RequestBlock) => (
      <Button
        variant="secondary"
        size="small"
        busy={busy}
        aria-label={t('unblockOne', { email })}
        onClick={() => void handleUnblock(email)}
      >
        {t('unblock')}
      </Button>
    ),
  }
  return (
    <section aria-label={t('blocked')} id="blocked-senders" tabIndex={-1} className="grid gap-4 outline-none">
      <div>
        <h2 className="text-xl">{t('blocked')}</h2>
        <p className="text-ink-2">{t('blockedHint')}</p>
      </div>
      <div role="status" className="empty:hidden">
        {lifted && (
          <p className="card flex flex-wrap items-center gap-4 px-5 py-3 wrap-anywhere">
            <span>{t('unblocked', { email: lifted })}</span>
            <Button variant="secondary" size="small" busy={busy} onClick={() => void handleUndo(lifted)}>
              {t('undo')}
            </Button>
          </p>
        )}
      </div>
      {blocks.length === 0 ? (
        <EmptyState title={t('noneBlocked')}>{t('noneBlockedHint')}</EmptyState>
      ) : (
        <Table
          caption={t('blocked')}
          rows={blocks}
          rowKey={({ email }) => email}
          columns={[
            { header: t('address'), cell: ({ email }) => email, isRowHeader: true, className: 'wrap-anywhere' },
            { header: t('since'), cell: (block) => <Moment at={block.created_at} /> },
            {
              header: t('request_number'),
              cell: ({ id_request: id, reference }) =>
                id !== null && (
                  <Link to={`/admin/demandes/${id}`} className="tabular text-brand underline underline-offset-2">
                    {reference}
                  </Link>
                ),
            },
          ]}
          {...(canWrite ? { actions } : {})}
        />
      )}
      <Toast {...toast} />
    </section>
  )
}
