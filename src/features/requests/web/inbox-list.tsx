import { useRevalidator } from 'react-router'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { InboxMail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'

const reasonKeys = {
  list: 'reasonList',
  automatic: 'reasonAutomatic',
  'too many': 'reasonTooMany',
  'no sender': 'reasonNoSender',
  'unknown sender': 'reasonUnknownSender',
  'unknown bounce': 'reasonBounce',
  'too large': 'reasonTooLarge',
} as const

/** Mails that wait for a person, and those that could not be read; nothing at all where there are none. */
export function InboxList({ mails, canWrite }: { mails: InboxMail[]; canWrite: boolean }) {
  const t = useTexts(requestThreadTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  if (mails.length === 0) return null
  const decide = (id: number, what: 'accept' | 'dismiss') =>
    run(() => callApi('POST', `/api/requests/requests/inbox/${id}/${what}`).finally(revalidate), {
      done: t(what === 'accept' ? 'mailAccepted' : 'mailDismissed'),
    })
  return (
    <section aria-label={t('inbox')} className="mt-8">
      <h2 className="mb-3 text-xl">{t('inbox')}</h2>
      <ul className="grid gap-3">
        {mails.map((mail) => (
          <li key={mail.id_mail} className="card flex flex-wrap items-center gap-x-6 gap-y-3 border-dashed p-5">
            <div className="min-w-0 flex-1 basis-80">
              <p className="font-bold wrap-anywhere">
                <bdi>{mail.subject || t('noSubject')}</bdi>
              </p>
              <p className="text-sm wrap-anywhere text-ink-2">
                <bdi>{mail.from_name}</bdi> <span>{`${mail.from_address},`}</span>{' '}
                <time dateTime={mail.received_at}>{formatDateTime(mail.received_at, language)}</time>
                <span>,</span> <span>{formatBytes(mail.size, language)}</span>
              </p>
              <p className="text-sm">
                {t(
                  reasonKeys[mail.reason as keyof typeof reasonKeys] ??
                    (mail.state === 'unreadable' ? 'reasonUnreadable' : 'reasonOther'),
                )}
              </p>
            </div>
            {canWrite && mail.state === 'waiting' && (
              <span className="flex flex-wrap gap-2">
                <Button size="small" busy={busy} onClick={() => void decide(mail.id_mail, 'accept')}>
                  {t('acceptMail')}
                </Button>
                <Button size="small" variant="secondary" busy={busy} onClick={() => void decide(mail.id_mail, 'dismiss')}>
                  {t('dismissMail')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <Toast {...toast} />
    </section>
  )
}
