import { locales } from '#src/lib/language/language.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { Button } from '#src/ui/components/button.tsx'
import { AlertIcon, CheckIcon, LockIcon, MailIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { RequestDetail, RequestEntry } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'

type ThreadProps = {
  request: RequestDetail
  /** Null for who may only read. */
  onRetry: ((entry: number) => void) | null
  onSplit: ((entry: number) => void) | null
}

/** What was written on every channel, internal comments and changes of state, oldest first. */
export function RequestThread({ request, onRetry, onSplit }: ThreadProps) {
  const t = useTexts(requestThreadTexts)
  return (
    <section aria-label={t('thread')}>
      <ol className="grid gap-4">
        {request.entries.map((entry, index) => (
          <li key={entry.id_entry}>
            {entry.kind === 'event' ? (
              <EventLine entry={entry} />
            ) : (
              <Entry
                request={request}
                entry={entry}
                onRetry={onRetry}
                onSplit={index > 0 && entry.kind === 'customer' ? onSplit : null}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

const looks = {
  customer: 'border-line bg-surface',
  staff: 'border-brand/40 bg-brand-soft',
  internal: 'border-dashed border-warn bg-warn-soft',
} as const

type EntryProps = ThreadProps & { entry: RequestEntry }

function Entry({ request, entry, onRetry, onSplit }: EntryProps) {
  const t = useTexts(requestThreadTexts)
  const language = useLanguage()
  if (entry.kind === 'event') return null
  const isInternal = entry.kind === 'internal'
  return (
    <article
      className={`overflow-hidden rounded-card border ${looks[entry.kind]}`}
      lang={isInternal ? undefined : locales[request.language]}
    >
      <header
        className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-3 text-sm text-ink-2"
        lang={locales[language]}
      >
        <p>
          <strong className="text-base text-ink">
            <bdi>{entry.author}</bdi>
          </strong>{' '}
          <span>{isInternal ? t('internal') : t(`by${entry.channel}`)}</span>
        </p>
        <time dateTime={entry.at}>{formatDateTime(entry.at, language)}</time>
      </header>
      <div className="grid gap-3 px-5 pt-1 pb-3">
        {entry.text && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {entry.text}
          </p>
        )}
        {entry.quoted && (
          <details>
            <summary className="cursor-pointer text-sm text-brand underline underline-offset-2">{t('quoted')}</summary>
            <p dir="auto" className="mt-2 border-s-2 border-line ps-4 text-sm wrap-anywhere whitespace-pre-wrap text-ink-2">
              {entry.quoted}
            </p>
          </details>
        )}
        {entry.files.length > 0 && (
          <ul className="grid gap-1">
            {entry.files.map((file) => (
              <li key={file.id_file}>
                <a
                  href={`/api/requests/requests/${request.id_request}/files/${file.id_file}`}
                  download
                  className="inline-block py-0.5 wrap-anywhere text-brand underline underline-offset-2"
                >
                  {t('download', { name: file.name, size: formatBytes(file.size, language) })}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      {(isInternal || entry.mails.length > 0 || onSplit) && (
        <footer
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-dashed border-line px-5 py-2 text-sm"
          lang={locales[language]}
        >
          {isInternal && (
            <p className="flex items-center gap-2 font-bold text-warn">
              <LockIcon />
              <span>{t('neverVisible')}</span>
            </p>
          )}
          {entry.mails.length > 0 && <MailStates entry={entry} onRetry={onRetry} />}
          {onSplit && (
            <Button variant="link" size="small" onClick={() => onSplit(entry.id_entry)}>
              {t('split')}
            </Button>
          )}
        </footer>
      )}
    </article>
  )
}

const purposeKeys = { acknowledgement: 'acknowledgement', reply: 'replied', copy: 'copied', link: 'link' } as const
const deliveryIcons = { queued: MailIcon, sent: CheckIcon, failed: AlertIcon, bounced: AlertIcon }
const deliveryTones = { queued: 'text-ink-2', sent: 'text-ok', failed: 'text-err', bounced: 'text-err' }

function MailStates({ entry, onRetry }: { entry: RequestEntry; onRetry: ThreadProps['onRetry'] }) {
  const t = useTexts(requestThreadTexts)
  const canRetry = onRetry && entry.mails.some(({ delivery }) => delivery === 'failed')
  return (
    <>
      <ul className="grid gap-1">
        {entry.mails.map(({ recipient, purpose, delivery, error }) => {
          const Icon = deliveryIcons[delivery]
          return (
            <li
              key={`${purpose} ${recipient}`}
              className={`flex items-start gap-2 font-bold wrap-anywhere ${deliveryTones[delivery]}`}
            >
              <Icon className="mt-1 shrink-0" />
              <span>
                {t('mailState', { mail: t(purposeKeys[purpose], { recipient }), state: t(delivery, { error: error ?? '' }) })}
              </span>
            </li>
          )
        })}
      </ul>
      {canRetry && (
        <Button variant="secondary" size="small" onClick={() => onRetry(entry.id_entry)}>
          {t('retry')}
        </Button>
      )}
    </>
  )
}

function EventLine({ entry: { event, author, at } }: { entry: RequestEntry }) {
  const t = useTexts(requestThreadTexts)
  const a = useTexts(adminRequestTexts)
  const language = useLanguage()
  if (!event) return null
  const { status, assignee, priority, merged, unmerged, split, linked, spam, incident } = event
  const changes = [
    status && t('statusChanged', { from: a(status.from), to: a(status.to) }),
    assignee && t('assigned', { name: assignee }),
    assignee === null && t('unassigned'),
    priority && t('priorityChanged', { priority: t(priority) }),
    merged && t('mergedIn', { reference: merged }),
    unmerged && t('unmergedFrom', { reference: unmerged }),
    split && t('splitOff', { reference: split }),
    linked && t('linkedTo', { reference: linked }),
    incident && t('incidentLinked', { number: incident }),
    incident === null && t('incidentUnlinked'),
    spam !== undefined && t(spam ? 'spamMarked' : 'spamUnmarked'),
  ].filter(Boolean)
  return (
    <p className="flex flex-wrap gap-x-3 px-5 text-sm text-ink-2">
      <bdi>{author}</bdi>
      <span>{changes.join(' · ')}</span>
      <time dateTime={at}>{formatDateTime(at, language)}</time>
    </p>
  )
}
