import { sourceText } from '#src/lib/visit-source.ts'
import { useCallback, useEffect, useState } from 'react'
import { hasRight } from '#src/lib/rights.ts'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Breakable } from '#src/ui/components/breakable.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import type { Network } from '#src/features/networks/contract.ts'
import { readDetails } from '#src/features/networks/values.ts'
import type { NetworkStatus } from '#src/features/networks/values.ts'
import { pickText } from '#src/lib/language/language.ts'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { getJson } from '#src/ui/api.ts'
import type { LinkedRequest, ChatContext } from '../contract.ts'
import { consoleTexts } from './console-texts.ts'
import { visitorDetailsTexts } from './visitor-details-texts.ts'
import type { StaffChat } from '../protocol.ts'
import { ConsoleActions } from './conversation-actions.tsx'
import type { StaffSession } from './staff-session.ts'
import { formatClock, formatMoment, useNow } from './times.ts'

type ConsolePersonProps = {
  chat: StaffChat
  canWrite: boolean
  session: StaffSession
  onOpen: (id: number) => void
  onBack: () => void
}

/** The visitor's details, requests and other chats, and the actions on the conversation. */
export function ConsolePerson({ chat, canWrite, session, onOpen, onBack }: ConsolePersonProps) {
  const t = useTexts(consoleTexts)
  const tool = useTexts(visitorDetailsTexts)
  const language = useLanguage()
  const { context, networks, reload } = useChatContext(chat.id)
  const facts = [
    [t('email'), chat.client_email],
    [t('language'), chat.language === 'fr' ? t('french') : t('english')],
    [t('page'), chat.page || '/'],
    ...(sourceText(chat.source) ? [[t('source'), sourceText(chat.source)] as const] : []),
    [t('since'), formatMoment(language, chat.created_at)],
  ] as const
  return (
    <aside className="console-person" aria-label={t('details')}>
      <Button variant="quiet" size="small" className="console-drawer-close -ms-3.5 justify-self-start" onClick={onBack}>
        {t('backToChat')}
      </Button>
      <section className="console-card console-person-card">
        <span className="console-avatar" aria-hidden="true" translate="no">
          {initialsOf(chat.client_name)}
        </span>
        <div className="min-w-0" translate="no">
          <h2 className="text-base wrap-anywhere">{chat.client_name}</h2>
          {chat.client_business && <p className="text-sm text-ink-2 wrap-anywhere">{chat.client_business}</p>}
        </div>
        <dl className="console-facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Breakable text={value} />
              </dd>
            </div>
          ))}
          {chat.time_zone && (
            <div>
              <dt>{t('localTime')}</dt>
              <dd>
                <LocalTime timeZone={chat.time_zone} />
              </dd>
            </div>
          )}
          <div>
            <dt>{t('presence')}</dt>
            <dd>
              <Lamp on={chat.visitor_online}>{chat.visitor_online ? t('there') : t('gone')}</Lamp>
            </dd>
          </div>
        </dl>
      </section>
      {context?.is_blocked && (
        <p>
          <Badge tone="err">{tool('isBlocked')}</Badge>
        </p>
      )}
      {chat.rating !== null && (
        <section className="console-card">
          <h3 className="text-base">{t('rating')}</h3>
          <p className="tabular font-bold">{t('ratingOf', { count: chat.rating })}</p>
          {chat.rating_comment && <p lang={chat.language}>{chat.rating_comment}</p>}
        </section>
      )}
      {chat.read.length > 0 && (
        <section className="console-card">
          <h3 className="text-base">{tool('read')}</h3>
          <ul lang={chat.language}>
            {chat.read.map(({ title, url }) => (
              <li key={url}>
                <a href={url} target="_blank" rel="noreferrer" className="py-0.5 text-brand underline wrap-anywhere">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ConsoleNetworks networks={networks} />
      {context && context.requests.length > 0 && <Requests requests={context.requests} />}
      {context && context.chats.length > 0 && (
        <section className="console-card">
          <h3 className="text-base">{tool('otherChats')}</h3>
          <ul>
            {context.chats.map((other) => (
              <li key={other.id}>
                <button type="button" className="py-0.5 text-start text-brand underline" onClick={() => onOpen(other.id)}>
                  <span>{formatMoment(language, other.created_at)}</span>
                  {other.user_name && <span>{` · ${other.user_name}`}</span>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {canWrite && <ConsoleActions chat={chat} context={context} session={session} onDone={reload} />}
    </aside>
  )
}

/** What time it is where the visitor is, and the city that their time zone is named after. */
function LocalTime({ timeZone }: { timeZone: string }) {
  const language = useLanguage()
  const time = formatClock(language, useNow(), timeZone)
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ')
  return <span translate="no">{`${time}, ${city}`}</span>
}

const initialsOf = (name: string) =>
  name
    .split(/\s+/u)
    .slice(0, 2)
    .map((part) => part.slice(0, 1).toUpperCase())
    .join('')

/** Who has no right to requests reads their numbers, without a way to them. */
export function Requests({ requests }: { requests: LinkedRequest[] }) {
  const tool = useTexts(visitorDetailsTexts)
  const { rights } = useProfile()
  const mayOpen = hasRight(rights, 'requests', 'read_only')
  return (
    <section className="console-card">
      <h3 className="text-base">{tool('requests')}</h3>
      <ul>
        {requests.map(({ id_request: id, reference, status, is_from_chat: isFromChat }) => (
          <li key={id} className={isFromChat ? 'font-bold' : undefined}>
            {mayOpen ? (
              <Link to={`/admin/demandes/${id}`} className="text-brand underline">
                {reference}
              </Link>
            ) : (
              <span>{reference}</span>
            )}{' '}
            <Badge tone={status === 'done' ? 'ok' : 'warn'}>{tool(status)}</Badge>
            {isFromChat && <span className="block text-sm font-normal text-ink-2">{tool('fromThisChat')}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Networks with a problem: often the reason of a chat. */
function ConsoleNetworks({ networks }: { networks: Network[] }) {
  const t = useTexts(visitorDetailsTexts)
  const language = useLanguage()
  const troubles = networks.flatMap(({ nom, status, details }): { name: string; status: NetworkStatus }[] => [
    ...(status === 'OFFLINE' ? [{ name: nom, status: 'ERROR' as const }] : []),
    ...readDetails(details)
      .filter((detail) => detail.statut !== 'OK')
      .map((detail) => ({ name: `${nom} – ${pickText(language, detail.nom, detail.nom_en)}`, status: detail.statut })),
  ])
  if (troubles.length === 0) return null
  return (
    <section className="console-card">
      <h3 className="text-base">{t('network')}</h3>
      <ul className="grid gap-1">
        {troubles.map(({ name, status }) => (
          <li key={name} className="flex gap-2">
            <StatusIcon status={status} size={20} label={t(status)} className="mt-0.5" />
            <span>{name}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Requests, other chats and blocks of the visitor, and the networks. */
function useChatContext(id: number) {
  const [context, setContext] = useState<ChatContext | null>(null)
  const [networks, setNetworks] = useState<Network[]>([])
  const reload = useCallback(async () => {
    const [found, all] = await Promise.all([
      getJson<ChatContext>(`/api/chat/chats/${id}/context`),
      getJson<Network[]>('/api/networks/reseau'),
    ])
    setContext(found)
    setNetworks(all)
  }, [id])
  useEffect(() => {
    reload().catch((error: unknown) => console.warn(error))
  }, [reload])
  return { context, networks, reload }
}
