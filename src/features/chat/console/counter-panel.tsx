import { useState } from 'react'
import { useNavigate } from 'react-router'
import { defineTexts } from '#src/lib/language/texts.ts'
import { locales } from '#src/lib/language/language.ts'
import { formatTime, withoutZero } from '#src/lib/time/date-time.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Counter } from '#src/features/content/counter/contract.ts'
import type { StaffChat } from '../protocol.ts'
import { speaks } from './console-state.ts'
import { consoleTexts } from './console-texts.ts'
import { useChatName, useStaffChat } from './staff-chat.tsx'
import { formatTimer, serverNow, useNow } from './times.ts'

const texts = defineTexts({
  fr: {
    title: 'Clavardage',
    emergency: 'Avis urgent.',
    openUntil: 'Ouvert jusqu’à {time}',
    open: 'Ouvert',
    busy: 'Ouvert, mais personne n’est disponible',
    closed: 'Fermé',
    opens: 'Fermé, réouverture {time}',
    waiting: '{count} {count|visiteur attend|visiteurs attendent}',
    nobody: 'Personne n’attend',
    joining: 'Connexion au clavardage…',
    team: 'Équipe en ligne',
    nobodyOnline: 'Aucun technicien n’est en ligne.',
    you: 'Vous',
    chats: '{count} en cours',
    away: 'indisponible',
    onCall: 'joignable par notification',
    more: 'et {count} de plus',
    console: 'Ouvrir le clavardage',
    takeFrom: 'Prendre en charge : {name}',
  },
  en: {
    title: 'Live chat',
    emergency: 'Urgent notice.',
    openUntil: 'Open until {time}',
    open: 'Open',
    busy: 'Open, but nobody is available',
    closed: 'Closed',
    opens: 'Closed, reopens {time}',
    waiting: '{count} {count|visitor is waiting|visitors are waiting}',
    nobody: 'Nobody is waiting',
    joining: 'Connecting to the chat…',
    team: 'Team online',
    nobodyOnline: 'No technicians are online.',
    you: 'You',
    chats: '{count} in progress',
    away: 'unavailable',
    onCall: 'reachable by notification',
    more: 'and {count} more',
    console: 'Open the chat',
    takeFrom: 'Assign to me: {name}',
  },
})

const mostShown = 3

type CounterPanelProps = { facts: NonNullable<Counter['chat']>; userId: number }

/** The top of the landing screen: whether the chat is open; with the right to it also who waits and who is online. */
export function CounterPanel({ facts, userId }: CounterPanelProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const staff = useStaffChat()
  const { lamp, state, closes_at: closes, next_opening: opens, time_zone: timeZone } = facts
  const isOpen = state !== 'closed'
  const words =
    state === 'busy'
      ? t('busy')
      : isOpen
        ? closes
          ? t('openUntil', { time: formatTime(closes, language, timeZone) })
          : t('open')
        : opens
          ? t('opens', {
              time: withoutZero(
                new Intl.DateTimeFormat(locales[language], {
                  weekday: 'long',
                  hour: 'numeric',
                  minute: '2-digit',
                  timeZone,
                }).format(new Date(opens)),
              ),
            })
          : t('closed')
  return (
    <section aria-label={t('title')} className="night counter-night">
      <div className="counter-lamp" data-lamp={lamp} aria-hidden="true">
        <svg viewBox="0 0 140 150" focusable="false">
          <path className="counter-arch" d="M2 150V72a68 68 0 0 1 136 0v78z" />
          <path className="counter-light" d="m70 78-40 72h80z" />
          <path className="counter-shade" d="M66 10h8v42a26 24 0 0 1 28 24H38a26 24 0 0 1 28-24z" />
          <circle className="counter-bulb" cx="70" cy="80" r="10" />
          {lamp === 'busy' && <path className="counter-half" d="M70 70a10 10 0 0 0 0 20z" />}
          {lamp === 'emergency' && <path className="counter-alarm" d="m70 96-24 42h48zm0 15v12m0 7h0" />}
        </svg>
      </div>
      <div className="grid min-w-0 content-start gap-3">
        <p className="font-bold">
          <Lamp on={state === 'open'}>
            {lamp === 'emergency' && <strong className="text-lamp">{t('emergency')}</strong>} <span>{words}</span>
          </Lamp>
        </p>
        {staff && <Waiting />}
        {staff && <Team userId={userId} />}
      </div>
      {staff && <Queue userId={userId} />}
    </section>
  )
}

const waitingOf = (chats: readonly StaffChat[]) =>
  chats
    .filter(({ status }) => status === 'waiting')
    .toSorted((one, other) => one.waiting_since.localeCompare(other.waiting_since))

function Waiting() {
  const t = useTexts(texts)
  const { chats = [], isListed = false } = useStaffChat()?.state ?? {}
  const count = waitingOf(chats).length
  return <h2 className="text-2xl">{!isListed ? t('joining') : count === 0 ? t('nobody') : t('waiting', { count })}</h2>
}

function Team({ userId }: { userId: number }) {
  const t = useTexts(texts)
  const { users = [], isListed = false } = useStaffChat()?.state ?? {}
  const team = users.filter(({ can_answer }) => can_answer)
  if (!isListed) return null
  if (team.length === 0) return <p className="text-ink-2">{t('nobodyOnline')}</p>
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-2" aria-label={t('team')}>
      {team.map((user) => (
        <li key={user.id_user} className="counter-person">
          <Lamp on={user.available}>
            <span className="block font-bold" translate="no">
              {user.id_user === userId ? t('you') : user.user_name}
            </span>
            <span className="block text-sm text-ink-2">
              {user.on_call ? t('onCall') : user.available ? t('chats', { count: user.chats }) : t('away')}
            </span>
          </Lamp>
        </li>
      ))}
    </ul>
  )
}

function Queue({ userId }: { userId: number }) {
  const t = useTexts(texts)
  const c = useTexts(consoleTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const staff = useStaffChat()
  const nameOf = useChatName()
  useNow()
  const [busy, setBusy] = useState<number | null>(null)
  if (!staff) return null
  const { state, session } = staff
  const waiting = waitingOf(state.chats)
  const canTake = state.link === 'up' && state.users.some((user) => user.id_user === userId && user.can_answer)
  const take = async (id: number) => {
    setBusy(id)
    await session.claim(id)
    setBusy(null)
    // Refused as well: the console says why.
    await navigate(`/admin/chat?chat=${id}`)
  }
  return (
    <div className="counter-queue">
      {waiting.length > 0 && (
        <ol className="grid gap-2">
          {waiting.slice(0, mostShown).map((chat, index) => (
            <li key={chat.id} className="counter-ticket" data-first={index === 0 || undefined}>
              <time className="tabular font-bold" dateTime={chat.waiting_since}>
                {formatTimer(Math.max(0, serverNow() - Date.parse(chat.waiting_since)), language)}
              </time>
              <div className="min-w-0">
                <p className="truncate font-bold" translate="no">
                  {nameOf(chat)}
                </p>
                <p className="truncate text-sm" lang={chat.language} translate="no">
                  {chat.last_message}
                </p>
                {!speaks(state.users, userId, chat) && (
                  <p className="text-sm font-bold text-warn">{c(chat.language === 'fr' ? 'notInFrench' : 'notInEnglish')}</p>
                )}
              </div>
              {canTake && (
                <Button
                  size="small"
                  variant={index === 0 ? 'primary' : 'secondary'}
                  className={index === 0 ? 'counter-take' : ''}
                  busy={busy === chat.id}
                  aria-label={t('takeFrom', { name: nameOf(chat) })}
                  onClick={() => void take(chat.id)}
                >
                  {c('claim')}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      <p className="flex flex-wrap justify-between gap-4 text-sm">
        <span className="text-ink-2">{waiting.length > mostShown && t('more', { count: waiting.length - mostShown })}</span>
        <Link to="/admin/chat" className="font-bold underline">
          {t('console')}
        </Link>
      </p>
    </div>
  )
}
