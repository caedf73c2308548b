import { AlertIcon, CheckIcon, MailIcon } from '#src/ui/components/icons.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { RequestDetail, RequestEntry } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import type { Delivery } from '../values.ts'

type EntryMail = RequestEntry['mails'][number]
type Mail = Pick<EntryMail, 'delivery' | 'error'>

const purposeKeys = { acknowledgement: 'acknowledgement', reply: 'replied', copy: 'copied', link: 'link' } as const
const icons = { queued: MailIcon, sent: CheckIcon, failed: AlertIcon, bounced: AlertIcon }
const tones = { queued: 'text-ink-2', sent: 'text-ok', failed: 'text-err', bounced: 'text-err' }

export const isRefused = (delivery: Delivery | null) => delivery === 'failed' || delivery === 'bounced'

const causes = [
  ['errorFull', /[45]\.2\.2\b|\bfull\b|quota/i],
  ['errorTooLarge', /[45]\.(?:2\.3|3\.4)\b|\b552\b|too (?:large|big)|size limit/i],
  [
    'errorUnknown',
    /[45]\.1\.(?:[0-3]|6|10)\b|unknown (?:user|recipient|address)|(?:user|recipient|mailbox) (?:unknown|unavailable|not found)|no such|does not exist|invalid recipient/i,
  ],
  ['errorSignIn', /EAUTH|\b53[0458]\b|authenticat/i],
  ['errorPolicy', /[45]\.7\.\d|\b554\b|spam|blocked|black ?list|block ?list|denied|policy/i],
  [
    'errorUnreachable',
    /ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EDNS|ESOCKET|timed? ?out|getaddrinfo|greeting|hang ?up|closed unexpectedly/i,
  ],
] as const

/** Why a mail did not arrive, as the key of its text: what mail servers answer means nothing to most people. */
export function explainMailError(error: string | null) {
  if (!error) return 'errorNone' as const
  return causes.find(([, pattern]) => pattern.test(error))?.[0] ?? ('errorOther' as const)
}

/** What became of a mail, in a few words; what the server answered is one press away. */
function useMailState() {
  const t = useTexts(requestThreadTexts)
  return ({ delivery, error }: Mail) => {
    const reason = t(explainMailError(error))
    if (delivery === 'queued' && error) return t('queuedAgain', { error: reason })
    return t(delivery, { error: reason })
  }
}

type MailStateProps = { mail: Mail; name: string }

function MailState({ mail, name }: MailStateProps) {
  const t = useTexts(requestThreadTexts)
  const stateOf = useMailState()
  const Icon = icons[mail.delivery]
  return (
    <div className={`flex items-start gap-2 wrap-anywhere ${tones[mail.delivery]}`}>
      <Icon size={18} className="mt-0.5 shrink-0" />
      <div>
        <span className="font-bold">{t('mailState', { mail: name, state: stateOf(mail) })}</span>
        {mail.error && mail.delivery !== 'sent' && (
          <details className="text-ink-2">
            <summary className="cursor-pointer underline underline-offset-2">{t('details')}</summary>
            <p>{t('serverWords', { text: mail.error })}</p>
          </details>
        )}
      </div>
    </div>
  )
}

export type MailActions = {
  /** Null for who may only read. */
  onRetry: ((entry: number) => void) | null
  onCorrect: (() => void) | null
}

/** The mails of an entry, with what can be done where one did not arrive. */
export function EntryMails({ entry, onRetry, onCorrect }: MailActions & { entry: RequestEntry }) {
  const t = useTexts(requestThreadTexts)
  const refused = entry.mails.filter(({ delivery }) => isRefused(delivery))
  return (
    <>
      <ul className="grid min-w-0 gap-1">
        {entry.mails.map((mail) => (
          <li key={`${mail.purpose} ${mail.recipient}`}>
            <MailState mail={mail} name={t(purposeKeys[mail.purpose], { recipient: mail.recipient })} />
          </li>
        ))}
      </ul>
      {refused.length > 0 && (onRetry || onCorrect) && (
        <span className="flex flex-wrap gap-2 print:hidden">
          {onRetry && (
            <Button variant="secondary" size="small" onClick={() => onRetry(entry.id_entry)}>
              {t('retry')}
            </Button>
          )}
          {onCorrect && refused.some(({ purpose }) => purpose !== 'copy') && (
            <Button variant="secondary" size="small" onClick={onCorrect}>
              {t('correctAddress')}
            </Button>
          )}
        </span>
      )}
    </>
  )
}

const noticeStates = { waiting: 'queued', sent: 'sent', failed: 'failed' } as const

type MailListProps = { request: RequestDetail; onRetryNotice: (() => void) | null }

/** Every mail of the request, with the notice to the staff. */
export function MailList({ request, onRetryNotice }: MailListProps) {
  const t = useTexts(requestThreadTexts)
  const { mail: notice } = request
  const mails = request.entries.flatMap(({ id_entry: entry, mails: all }) => all.map((mail) => ({ ...mail, entry })))
  if (!notice && mails.length === 0) return null
  const isKept = notice !== null && notice.state !== 'sent' && !notice.can_send
  return (
    <section aria-label={t('mails')} className="card grid gap-3 p-5 text-sm">
      <h2 className="text-lg">{t('mails')}</h2>
      <ul className="grid gap-2">
        {notice && (
          <li className="grid justify-items-start gap-1">
            {isKept ? (
              <span className="wrap-anywhere text-ink-2">
                {t('mailState', { mail: t('staffNotice', { recipient: notice.recipient }), state: t('notSent') })}
              </span>
            ) : (
              <MailState
                mail={{ delivery: noticeStates[notice.state], error: notice.last_error }}
                name={t('staffNotice', { recipient: notice.recipient })}
              />
            )}
            {notice.state !== 'sent' && notice.can_send && onRetryNotice && (
              <Button variant="secondary" size="small" onClick={onRetryNotice}>
                {t('retryNotice')}
              </Button>
            )}
          </li>
        )}
        {mails.map((mail) => (
          <li key={`${mail.entry} ${mail.purpose} ${mail.recipient}`}>
            <MailState mail={mail} name={t(purposeKeys[mail.purpose], { recipient: mail.recipient })} />
          </li>
        ))}
      </ul>
    </section>
  )
}
