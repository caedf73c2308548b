import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../../staff-texts.ts'
import type { AttachedFile, StaffChat, StaffMessage } from '../../values.ts'
import type { UnsentStaffMessage } from './console-state.ts'
import { formatClock } from './console-times.ts'
import { useEndInSight } from '../use-end-in-sight.ts'

type ConsoleConversationProps = {
  chat: StaffChat
  messages: StaffMessage[]
  unsent: UnsentStaffMessage[]
  isTyping: boolean
  /** The colleague who is writing to the visitor. */
  answering: string | null
  onRetry: (message: UnsentStaffMessage) => void
}

/** What was said: the visitor on the left, staff on the right, notes apart. */
export function ConsoleConversation({ chat, messages, unsent, isTyping, answering, onRetry }: ConsoleConversationProps) {
  const t = useTexts(staffTexts)
  const language = useLanguage()
  const isClosed = chat.status === 'closed'
  const end = useEndInSight(`${messages.length} ${unsent.length} ${isClosed}`, unsent.length > 0)

  const claimed = chat.user_name && {
    name: chat.user_name,
    time: formatClock(language, chat.claimed_at ?? chat.updated_at),
  }
  return (
    <div
      className="console-messages"
      role="log"
      aria-label={t('historyOf', { name: chat.client_business || chat.client_name })}
      tabIndex={0}
    >
      {(claimed || !isClosed) && (
        <p className="text-center text-sm text-ink-2">{claimed ? t('claimedBy', claimed) : t('notClaimed')}</p>
      )}
      <div className="console-said">
        {messages.map((message) => (
          <Message key={message.id_message} chat={chat} message={message} />
        ))}
        {unsent.map((message) => (
          <div key={message.client_message_id} className={`console-bubble ${message.internal ? 'console-note' : 'console-own'}`}>
            <p className="whitespace-pre-wrap">{message.message}</p>
            {message.state === 'sending' ? (
              <p className="console-meta">{t('sending')}</p>
            ) : (
              <p className="console-meta font-bold">
                {t('failed')} ·{' '}
                <button type="button" className="underline" onClick={() => onRetry(message)}>
                  {t('retry')}
                </button>
              </p>
            )}
          </div>
        ))}
      </div>
      {isClosed ? (
        <p className="text-center text-sm text-ink-2">{t('closedChat')}</p>
      ) : (
        <p className="min-h-6 text-sm text-ink-2">
          {answering ? t('answering', { name: answering }) : isTyping && t('typing', { name: chat.client_name })}
        </p>
      )}
      <div ref={end} />
    </div>
  )
}

function Message({ chat, message }: { chat: StaffChat; message: StaffMessage }) {
  const t = useTexts(staffTexts)
  const language = useLanguage()
  const look = message.internal ? 'console-note' : message.bz_staff ? 'console-own' : 'console-theirs'
  const isRead = message.bz_staff && !message.internal && message.seq <= chat.visitor_read_seq
  return (
    <div className={`console-bubble ${look}`}>
      <p className="console-meta font-bold">{message.internal ? `${t('note')} · ${message.user_name}` : message.user_name}</p>
      {message.file ? (
        <MessageFile file={message.file} />
      ) : (
        <p className="whitespace-pre-wrap" lang={message.internal || message.bz_staff ? undefined : chat.language}>
          {message.message}
        </p>
      )}
      <p className="console-meta tabular">
        <time dateTime={message.sent_at}>{formatClock(language, message.sent_at)}</time>
        {message.bz_staff && !message.internal && ` · ${isRead ? t('read') : t('sent')}`}
      </p>
    </div>
  )
}

/** What a visitor attached: a picture as such, anything else by its name. */
function MessageFile({ file }: { file: AttachedFile }) {
  const address = `/api/chat/files/${file.id_file}`
  return (
    <a href={address} download={file.name} className="console-file underline">
      {file.type.startsWith('image/') && <img src={address} alt="" loading="lazy" />}
      {file.name}
    </a>
  )
}
