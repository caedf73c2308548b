import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { PreviewPair } from '#src/features/content/web/preview.tsx'
import { buttonTexts } from '#src/features/content/texts.ts'
import { pickText } from '#src/lib/language/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Audience } from '../../subscription.ts'
import { undoMs } from '../../values.ts'
import { Countdown } from '../../web/undo-bar.tsx'
import type { Announcement } from '../contract.ts'
import { announcementTexts } from '../texts.ts'
import type { Route } from './+types/admin-announcements-page.ts'
import { AnnouncementMail } from './announcement-mail.tsx'
import '../../web/undo-bar.css'

const path = '/api/announcements'
const tones = { waiting: 'neutral', sending: 'brand', sent: 'ok', undone: 'neutral' } as const
/** While mails leave, their counts are read again after this time. */
const refreshMs = 3_000

export async function clientLoader() {
  const [rows, audience] = await Promise.all([getJson<Announcement[]>(path), getJson<Audience>(`${path}/audience`)])
  return { rows, audience }
}

/** `/admin/annonces`: what was sent to the subscribers of the news, with its counts, and the way back for a minute. */
export default function AdminAnnouncementsPage({ loaderData: { rows, audience } }: Route.ComponentProps) {
  useRight(['company'], 'read_write')
  const t = useTexts(announcementTexts)
  const b = useTexts(buttonTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [shown, setShown] = useState<Announcement | null>(null)
  const { fr, en } = audience
  const isLeaving = rows.some(({ state }) => state === 'waiting' || state === 'sending')
  useEffect(() => {
    if (!isLeaving) return undefined
    const timer = setInterval(() => void revalidate(), refreshMs)
    return () => clearInterval(timer)
  }, [isLeaving, revalidate])
  const subjectOf = ({ subject, subject_en }: Announcement) => pickText(language, subject, subject_en)
  const undo = ({ id_announcement: id }: Announcement) =>
    run(() => callApi('POST', `${path}/${id}/undo`, {}).finally(revalidate), { done: t('undoDone'), failed: t('undoFailed') })
  return (
    <>
      <AdminHead
        title={t('title')}
        subtitle={t('subtitle')}
        actions={<ButtonLink to="/admin/annonce_nouvelle">{b('add')}</ButtonLink>}
      />
      <p className="mb-1">{fr + en > 0 ? t('readers', { count: fr + en, fr, en }) : t('noReaders')}</p>
      <p className="mb-6 text-ink-2">{t('noTracking')}</p>
      {rows.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
      ) : (
        <Table
          caption={t('title')}
          rows={rows}
          rowKey={({ id_announcement: id }) => id}
          onOpen={setShown}
          columns={[
            { header: t('subject'), isRowHeader: true, cell: (row) => <span className="wrap-anywhere">{subjectOf(row)}</span> },
            {
              header: t('sentBy'),
              isText: true,
              cell: ({ author, created_at: at }) => (
                <>
                  <span translate="no">{author}</span>
                  <br />
                  <Moment at={at} />
                </>
              ),
            },
            { header: t('state'), cell: ({ state }) => <Badge tone={tones[state]}>{t(state)}</Badge> },
            { header: t('counts'), isText: true, cell: (row) => <Counts row={row} /> },
          ]}
          actions={{
            header: t('show'),
            cell: (row) => (
              <Button
                variant="secondary"
                size="small"
                aria-label={t('showOf', { subject: subjectOf(row) })}
                onClick={() => setShown(row)}
              >
                {t('show')}
              </Button>
            ),
          }}
        />
      )}
      {rows
        .filter(({ state }) => state === 'waiting')
        .map((row) => (
          <UndoBar key={row.id_announcement} row={row} busy={busy} onUndo={() => void undo(row)} />
        ))}
      <Dialog open={shown !== null} onClose={() => setShown(null)} wide title={shown ? subjectOf(shown) : ''}>
        {shown && <PreviewPair>{(one) => <AnnouncementMail texts={shown} language={one} />}</PreviewPair>}
      </Dialog>
      <Toast {...toast} />
    </>
  )
}

function Counts({ row: { state, to, sent, bounced, left } }: { row: Announcement }) {
  const t = useTexts(announcementTexts)
  if (state === 'waiting' || state === 'undone') return <span>–</span>
  return (
    <ul className="tabular">
      <li>{t('sentCount', { sent, to })}</li>
      {bounced > 0 && <li>{t('bounced', { count: bounced })}</li>}
      {left > 0 && <li>{t('left', { count: left })}</li>}
    </ul>
  )
}

/** Until an announcement leaves: how long, and the way back. */
function UndoBar({ row, busy, onUndo }: { row: Announcement; busy: boolean; onUndo: () => void }) {
  const t = useTexts(announcementTexts)
  const language = useLanguage()
  const until = Date.parse(row.undo_until)
  const [seconds, setSeconds] = useState(() => Math.ceil((until - Date.now()) / 1_000))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.ceil((until - Date.now()) / 1_000)), 1_000)
    return () => clearInterval(timer)
  }, [until])
  if (seconds <= 0) return null
  return (
    <section className="night outage-undo" aria-label={t('recent')}>
      <Countdown seconds={seconds} whole={undoMs / 1_000} />
      <div className="me-auto">
        <p className="font-bold wrap-anywhere">{pickText(language, row.subject, row.subject_en)}</p>
        <p className="tabular text-ink-2">{t('leavingIn', { to: row.to, count: seconds })}</p>
      </div>
      <Button disabled={busy} onClick={onUndo}>
        {t('undo')}
      </Button>
    </section>
  )
}
