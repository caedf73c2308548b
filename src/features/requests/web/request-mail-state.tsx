import { formatDateTime } from '#src/lib/time/date-time.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { RequestDetail } from '../contract.ts'
import { MailBadge } from './request-badges.tsx'

/** What became of the mail that tells the staff of a request, and another try where it has not left. */
export function RequestMailState({ mail, onRetry }: { mail: RequestDetail['mail']; onRetry: (() => void) | null }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  return (
    <section aria-label={t('mail')} className="card grid justify-items-start gap-2 p-5">
      <h2 className="flex items-center gap-3 text-lg">
        {t('mail')}
        {mail && <MailBadge state={mail.state} />}
      </h2>
      {!mail && <p className="text-sm text-ink-2">{t('mailNone')}</p>}
      {mail && <p className="text-sm wrap-anywhere text-ink-2">{t('mailTo', { recipient: mail.recipient })}</p>}
      {mail?.sent_at && <p className="text-sm text-ink-2">{t('mailSentAt', { date: formatDateTime(mail.sent_at, language) })}</p>}
      {mail && mail.state !== 'sent' && !mail.can_send && <p className="text-sm">{t('mailKept')}</p>}
      {mail && mail.attempts > 0 && <p className="text-sm text-ink-2">{t('mailAttempts', { count: mail.attempts })}</p>}
      {mail?.last_error && (
        <p className="text-sm">
          {t('mailError')} <span className="wrap-anywhere text-err">{mail.last_error}</span>
        </p>
      )}
      {mail && mail.state !== 'sent' && mail.can_send && onRetry && (
        <Button variant="secondary" size="small" className="mt-1" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </section>
  )
}
