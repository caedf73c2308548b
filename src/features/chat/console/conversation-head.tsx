import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { CloseIcon } from '#src/ui/components/icons.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { StaffChat, StaffPresence } from '../protocol.ts'
import { chatMessageMax, tagMax, tagsPerChat } from '../values.ts'
import type { AnswerPlace, ConsoleState, Operation } from './console-state.ts'
import { operationKey, speaks } from './console-state.ts'
import { consoleTexts } from './console-texts.ts'
import { DoorIcon } from './chat-list.tsx'
import { useChatName } from './staff-chat.tsx'
import type { StaffSession } from './staff-session.ts'
import { formatMoment, formatTimer, useNow } from './times.ts'

// Not from the site's icons: a shared one would be loaded by every public page.
const CheckIcon = pathIcon('m5 12.5 4.5 4.5L19 7.5')
const ClockIcon = pathIcon('M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zm0-13v5l3 2')
const LanguageIcon = pathIcon('M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM4 12h16M12 4c5 4.5 5 11.5 0 16-5-4.5-5-11.5 0-16z')
const TagIcon = pathIcon('M4 4h8l8.5 8.5-8 8L4 12zm4 4h.01')

type ConversationHeadProps = {
  chat: StaffChat
  session: StaffSession
  state: ConsoleState
  userId: number
  place: AnswerPlace
  mayTakeOver: boolean
  /** When the visitor began to wait for an answer; null where the last word is staff's. */
  unansweredSince: string | null
  /** Moves the focus to the next act. */
  onClaimed: () => void
  onEnded: () => void
  onDetails: () => void
  onBack: () => void
  onClose: () => void
}

/** Name, wait, tags and actions of a conversation; they stay in sight while the messages scroll. */
export function ConversationHead(props: ConversationHeadProps) {
  const { chat, session, state, userId, place, mayTakeOver, unansweredSince } = props
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  const { id } = chat
  const [dialog, setDialog] = useState<'transfer' | 'end' | null>(null)
  const name = useChatName()(chat)
  const isPending = (operation: Operation) => state.pending.includes(operationKey(operation, id))
  const isOwn = place === 'own'
  const mayManage = isOwn || (mayTakeOver && place === 'other')
  const end = () => {
    setDialog(null)
    void session.close(id).then((isDone) => isDone && props.onEnded())
  }

  return (
    <header className="console-pane-head" translate="no">
      <Button variant="quiet" size="small" className="lg:hidden" onClick={props.onBack}>
        {t('back')}
      </Button>
      <h2 className="console-pane-name">
        <Lamp on={chat.visitor_online} className="shrink-0">
          <span className="sr-only">{t(chat.visitor_online ? 'there' : 'gone')}</span>
        </Lamp>
        <span className="line-clamp-2">{`${chat.client_business && `${chat.client_name}, `}${name}`}</span>
      </h2>
      <div className="console-pane-actions">
        {place === 'free' && (
          <Button
            size="small"
            busy={isPending('claim')}
            onClick={() => void session.claim(id).then((isWon) => isWon && props.onClaimed())}
          >
            {t(chat.status === 'claimed' ? 'takeOver' : 'claim')}
          </Button>
        )}
        {place === 'other' && mayTakeOver && (
          <Button
            size="small"
            busy={isPending('takeOver')}
            onClick={() => void session.takeOver(id).then((isWon) => isWon && props.onClaimed())}
          >
            {t('takeOver')}
          </Button>
        )}
        {mayManage && (
          <Button
            variant="secondary"
            size="small"
            data-action="transfer"
            busy={isPending('transfer')}
            onClick={() => setDialog('transfer')}
          >
            {t('transferShort')}
          </Button>
        )}
        {(mayManage || place === 'free') && (
          <Button
            variant="danger"
            size="small"
            data-action="end"
            busy={isPending('close')}
            onClick={() => (unansweredSince === null ? end() : setDialog('end'))}
          >
            {t('end')}
          </Button>
        )}
        {place === 'closed' && (
          <Button
            variant="secondary"
            size="small"
            busy={isPending('reopen')}
            onClick={() => void session.reopen(id).then((isDone) => isDone && props.onClaimed())}
          >
            {t('reopen')}
          </Button>
        )}
        <Button variant="quiet" size="small" className="console-details-button" onClick={props.onDetails}>
          {t('details')}
        </Button>
        <IconButton
          className="max-lg:hidden"
          label={t('putAway', { name })}
          icon={<CloseIcon size={18} />}
          onClick={props.onClose}
        />
      </div>
      <div className="console-pane-facts">
        {place !== 'closed' && !speaks(state.users, userId, chat) && (
          <span className="console-fact console-fact-warn">
            <LanguageIcon size={14} />
            <span>{t(chat.language === 'fr' ? 'notInFrench' : 'notInEnglish')}</span>
          </span>
        )}
        {isOwn && (
          <span className="console-fact console-fact-own">
            <CheckIcon size={14} />
            <span>{t('ownSince', { time: formatMoment(language, chat.claimed_at ?? chat.updated_at) })}</span>
          </span>
        )}
        {isOwn && unansweredSince !== null && chat.visitor === 'here' && (
          <SilenceTimer since={unansweredSince} warnAfterMs={state.silenceMs} />
        )}
        {chat.visitor === 'gone' && chat.gone_at && (
          <span className="console-fact">
            <DoorIcon size={14} />
            <span>{t('leftAt', { time: formatMoment(language, chat.gone_at) })}</span>
          </span>
        )}
        <span role="status" className="contents">
          {chat.offer && chat.offer.to.id_user !== userId && (
            <span className="console-fact">{t('offeredTo', { name: chat.offer.to.user_name })}</span>
          )}
        </span>
        <Tags chat={chat} session={session} canChange={place !== 'forbidden'} />
      </div>
      {dialog === 'transfer' && (
        <TransferDialog
          chat={chat}
          session={session}
          users={state.users}
          userId={userId}
          onClose={() => {
            setDialog(null)
            props.onClaimed()
          }}
        />
      )}
      <Dialog
        open={dialog === 'end'}
        onClose={() => setDialog(null)}
        role="alertdialog"
        title={t('closeTitle', { name })}
        actions={
          <>
            <Button variant="secondary" onClick={() => setDialog(null)}>
              {t('cancel')}
            </Button>
            <Button variant="danger" onClick={end}>
              {t('close')}
            </Button>
          </>
        }
      >
        <p>{t('closeQuestion')}</p>
      </Dialog>
    </header>
  )
}

function SilenceTimer({ since, warnAfterMs }: { since: string; warnAfterMs: number }) {
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  const waited = Math.max(0, useNow() - Date.parse(since))
  return (
    <span className={`console-fact tabular ${waited >= warnAfterMs ? 'console-fact-warn' : ''}`}>
      <ClockIcon size={14} />
      <span>{t('waitsForYou', { time: formatTimer(waited, language) })}</span>
    </span>
  )
}

function Tags({ chat, session, canChange }: { chat: StaffChat; session: StaffSession; canChange: boolean }) {
  const t = useTexts(consoleTexts)
  const [text, setText] = useState<string | null>(null)
  const add = (event: FormEvent) => {
    event.preventDefault()
    const tag = text?.trim()
    setText(null)
    if (tag) void session.changeTags(chat.id, (tags) => [...new Set([...tags, tag])])
  }
  return (
    <>
      {chat.tags.map((tag) => (
        <span key={tag} className="console-fact console-fact-tag">
          <TagIcon size={14} />
          <span>{tag}</span>
          {canChange && (
            <button
              type="button"
              aria-label={t('removeTag', { tag })}
              onClick={() => void session.changeTags(chat.id, (tags) => tags.filter((one) => one !== tag))}
            >
              <CloseIcon size={14} />
            </button>
          )}
        </span>
      ))}
      {canChange && chat.tags.length < tagsPerChat && text === null && (
        <button type="button" className="console-fact" onClick={() => setText('')}>
          {t('addTag')}
        </button>
      )}
      {text !== null && (
        <form onSubmit={add}>
          <input
            className="console-tag-field"
            aria-label={t('tag')}
            maxLength={tagMax}
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
            onBlur={() => setText(null)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              setText(null)
            }}
          />
        </form>
      )}
    </>
  )
}

type TransferDialogProps = {
  chat: StaffChat
  session: StaffSession
  users: readonly StaffPresence[]
  userId: number
  onClose: () => void
}

/** Offers the conversation to a colleague, with what was begun to be written. */
function TransferDialog({ chat, session, users, userId, onClose }: TransferDialogProps) {
  const t = useTexts(consoleTexts)
  const [note, setNote] = useState(() => session.drafts.read(chat.id, 'answer'))
  const others = users
    .filter((user) => user.id_user !== userId && user.id_user !== chat.id_user && user.can_answer)
    .toSorted(
      (one, other) =>
        Number(other.available) - Number(one.available) ||
        Number(speaks(users, other.id_user, chat)) - Number(speaks(users, one.id_user, chat)) ||
        one.chats - other.chats,
    )
  const first = useRef<HTMLButtonElement>(null)
  // After the dialog opened, which focuses its first button.
  useEffect(() => first.current?.focus(), [])
  const offer = (to: number) => {
    onClose()
    void session.transfer(chat.id, to, note.trim())
  }
  return (
    <Dialog open onClose={onClose} title={t('transferTitle', { name: useChatName()(chat) })}>
      {others.length === 0 ? (
        <p>{t('nobodyElse')}</p>
      ) : (
        <ul className="grid gap-2">
          {others.map((user, index) => (
            <li key={user.id_user}>
              <button
                type="button"
                className="console-colleague"
                ref={index === 0 ? first : undefined}
                onClick={() => offer(user.id_user)}
              >
                <Lamp on={user.available || user.on_call}>{user.user_name}</Lamp>
                <span className="text-sm text-ink-2">
                  <span>
                    {!user.available && !user.on_call
                      ? t('away')
                      : user.chats > 0
                        ? t('busyWith', { count: user.chats })
                        : t('available')}
                  </span>
                  {!speaks(users, user.id_user, chat) && (
                    <b className="text-warn">{`, ${t(chat.language === 'fr' ? 'speaksNoFrench' : 'speaksNoEnglish')}`}</b>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <label className="mt-4 grid gap-1 text-sm">
        <span>{t('transferNote')}</span>
        <textarea
          className="input"
          rows={2}
          maxLength={chatMessageMax}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      <p className="mt-3 text-sm text-ink-2">{t('transferHint')}</p>
    </Dialog>
  )
}
