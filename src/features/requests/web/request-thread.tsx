import { Fragment, useState } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { formatTime } from '#src/lib/time/date-time.ts'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { Button } from '#src/ui/components/button.tsx'
import { apiAddress } from '#src/ui/hosts.ts'
import { ChatIcon, LockIcon } from '#src/ui/components/icons.tsx'
import { withLinksAndTelephones } from '#src/ui/components/dialled-text.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { RequestDetail, RequestEntry } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import type { MailActions } from './mail-states.tsx'
import { EntryMails } from './mail-states.tsx'

type ThreadProps = MailActions & {
  request: RequestDetail
  /** Null for who may only read. */
  onSplit: ((entry: number) => void) | null
}

/** What was written on every channel, internal comments and changes of state, oldest first, by day. */
export function RequestThread({ request, onSplit, ...actions }: ThreadProps) {
  const t = useTexts(requestThreadTexts)
  const language = useLanguage()
  return (
    <section aria-label={t('thread')}>
      <ol className="request-thread">
        {request.entries.map((entry, index) => {
          const day = formatDayOf(entry.at, language)
          const before = request.entries[index - 1]
          return (
            <Fragment key={entry.id_entry}>
              {(!before || formatDayOf(before.at, language) !== day) && (
                <li className="request-row text-sm text-ink-2">
                  <span aria-hidden="true" />
                  <h2 className="text-sm font-normal">{day}</h2>
                </li>
              )}
              <li className="request-row">
                {entry.kind === 'event' ? (
                  <>
                    <span aria-hidden="true" />
                    <EventLine entry={entry} />
                  </>
                ) : (
                  <>
                    <Avatar entry={entry} />
                    <Entry
                      request={request}
                      entry={entry}
                      {...actions}
                      onSplit={index > 0 && entry.kind === 'customer' ? onSplit : null}
                    />
                  </>
                )}
              </li>
            </Fragment>
          )
        })}
      </ol>
    </section>
  )
}

function formatDayOf(at: string, language: Language) {
  return new Date(at).toLocaleDateString(locales[language], { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
}

const avatarLooks = {
  customer: 'bg-brand-soft text-brand',
  staff: 'bg-brand text-on-brand',
  internal: 'bg-warn-soft text-warn',
  event: '',
} as const

/** A person in the window of an arch, by their initials. */
function Avatar({ entry: { kind, channel, author } }: { entry: RequestEntry }) {
  const words = author.split(/\s+/).filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.match(/\p{L}|\p{N}/u)?.[0] ?? '').join('')
  return (
    <span aria-hidden="true" className={`request-avatar ${channel === 'chat' ? 'bg-ink text-paper' : avatarLooks[kind]}`}>
      {channel === 'chat' ? <ChatIcon size={18} /> : initials.toUpperCase()}
    </span>
  )
}

const looks = {
  customer: 'border-line bg-surface',
  staff: 'border-brand/40 bg-brand-soft',
  internal: 'border-dashed border-warn bg-warn-soft',
} as const

type EntryProps = ThreadProps & { entry: RequestEntry }

function Entry({ request, entry, onRetry, onCorrect, onSplit }: EntryProps) {
  const t = useTexts(requestThreadTexts)
  const language = useLanguage()
  if (entry.kind === 'event') return null
  const isInternal = entry.kind === 'internal'
  const recipient = entry.kind === 'staff' ? entry.mails.find(({ purpose }) => purpose === 'reply')?.recipient : undefined
  const way = recipient ? t('byMailTo', { email: recipient }) : t(`by${entry.channel}`)
  return (
    <article
      className={`min-w-0 overflow-hidden rounded-card border shadow-card ${looks[entry.kind]}`}
      lang={isInternal ? undefined : locales[request.language]}
    >
      <header
        className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-3 text-sm text-ink-2"
        lang={locales[language]}
      >
        <p className="wrap-anywhere">
          <strong className="text-base text-ink">
            <bdi>{entry.author}</bdi>
          </strong>{' '}
          <span>{isInternal ? t('internal') : way}</span>
        </p>
        <time dateTime={entry.at}>{formatTime(entry.at, language)}</time>
      </header>
      <div className="grid gap-3 px-5 pt-1 pb-3">
        {entry.text && <EntryText text={entry.text} isFolded={entry.channel === 'chat'} />}
        {entry.quoted && (
          <details>
            <summary className="cursor-pointer text-sm text-brand underline underline-offset-2" lang={locales[language]}>
              {t('quoted')}
            </summary>
            <p
              dir="auto"
              className="mt-2 border-s-2 border-line ps-4 text-sm wrap-anywhere whitespace-pre-wrap text-ink-2 [&_a]:underline [&_a]:underline-offset-2"
            >
              {withLinksAndTelephones(entry.quoted)}
            </p>
          </details>
        )}
        {entry.files.length > 0 && (
          <ul className="grid gap-1" lang={locales[language]}>
            {entry.files.map((file) => (
              <li key={file.id_file}>
                <a
                  href={apiAddress(`/api/requests/requests/${request.id_request}/files/${file.id_file}`)}
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
          className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-dashed border-line px-5 py-2 text-sm ${isInternal || entry.mails.length > 0 ? '' : 'print:hidden'}`}
          lang={locales[language]}
        >
          {isInternal && (
            <p className="flex items-center gap-2 font-bold text-warn">
              <LockIcon size={18} />
              <span>{t('neverVisible')}</span>
            </p>
          )}
          {entry.mails.length > 0 && <EntryMails entry={entry} onRetry={onRetry} onCorrect={onCorrect} />}
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

const foldedLines = 4

/** A conversation shows its first lines; the rest is one press away. */
function EntryText({ text, isFolded }: { text: string; isFolded: boolean }) {
  const t = useTexts(requestThreadTexts)
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const lines = text.split('\n')
  const canFold = isFolded && lines.length > foldedLines + 2
  const shown = canFold && !isOpen ? lines.slice(0, foldedLines).join('\n') : text
  return (
    <>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap [&_a]:underline [&_a]:underline-offset-2">
        <span>{withLinksAndTelephones(shown)}</span>
        {shown !== text && <span className="only-printed">{withLinksAndTelephones(text.slice(shown.length))}</span>}
      </p>
      {canFold && (
        <span lang={locales[language]}>
          <Button variant="link" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? 'readLess' : 'readMore')}
          </Button>
        </span>
      )}
    </>
  )
}

function EventLine({ entry: { event, author, at } }: { entry: RequestEntry }) {
  const t = useTexts(requestThreadTexts)
  const a = useTexts(adminRequestTexts)
  const language = useLanguage()
  const { display_name: me } = useProfile()
  if (!event) return null
  const { status, assignee, priority, merged, unmerged, split, linked, spam, incident, hold, contact } = event
  const changes = [
    status && t('statusChanged', { from: a(status.from), to: a(status.to) }),
    assignee && t('assigned', { name: assignee === me ? a('me', { name: assignee }) : assignee }),
    assignee === null && t('unassigned'),
    priority && t('priorityChanged', { priority: t(priority) }),
    merged && t('mergedIn', { reference: merged }),
    unmerged && t('unmergedFrom', { reference: unmerged }),
    split && t('splitOff', { reference: split }),
    linked && t('linkedTo', { reference: linked }),
    incident && t('incidentLinked', { number: incident }),
    incident === null && t('incidentUnlinked'),
    spam !== undefined && t(spam ? 'spamMarked' : 'spamUnmarked'),
    hold !== undefined && t(hold ? 'holdPlaced' : 'holdLifted'),
    contact && t('contactCorrected', { parts: contact.map((part) => t(`part${part}`)).join(', ') }),
  ].filter(Boolean)
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-ink-2">
      <bdi>{author}</bdi>
      <span>{changes.join(' · ')}</span>
      <time dateTime={at}>{formatTime(at, language)}</time>
    </p>
  )
}
