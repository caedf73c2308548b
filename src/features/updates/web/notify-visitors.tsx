import { useState } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { UpdateAlert } from '../contract.ts'
import { alertTexts, visitorTexts } from '../texts.ts'
import { phaseOf } from '../values.ts'
import { useUpdateAlert, useNow } from './update-alert.tsx'
import { describeInstant, describeWhen } from './update-time.ts'

type Conversation = { id: number; language: Language }

type NotifyVisitorsProps = {
  /** The technician's own open conversations. */
  chats: readonly Conversation[]
  /** The client message id makes a repeated send a no-op. */
  send: (id: number, message: string, clientMessageId: string) => Promise<unknown>
}

const everyMs = 10_000

/** Sends the update to the visitors of a technician's open chats, each in their language. */
export function NotifyVisitors({ chats, send }: NotifyVisitorsProps) {
  const t = useTexts(alertTexts)
  const { alert } = useUpdateAlert()
  const now = useNow(everyMs)
  const [notified, setNotified] = useState<readonly string[]>([])
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle')
  if (!alert || chats.length === 0) return null
  const phase = phaseOf(alert, now)
  if (phase === 'after' || phase === 'over') return null
  const waiting = chats.filter(({ id }) => !notified.includes(announcementId(alert, id)))

  const handleNotify = async () => {
    setState('sending')
    const outcomes = await Promise.allSettled(
      waiting.map(async ({ id, language }) => {
        const message = announcementId(alert, id)
        await send(id, prepare(alert, language), message)
        setNotified((before) => [...before, message])
      }),
    )
    setState(outcomes.some(({ status }) => status === 'rejected') ? 'failed' : 'idle')
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-5 py-2 text-sm">
      <p role="status" className={state === 'failed' ? 'font-bold text-err' : ''}>
        {state === 'failed' ? t('notifyFailed') : waiting.length > 0 ? t('notifyHint') : t('notified', { count: chats.length })}
      </p>
      {waiting.length > 0 && (
        <Button variant="secondary" size="small" busy={state === 'sending'} onClick={() => void handleNotify()}>
          {t('notify', { count: waiting.length })}
        </Button>
      )}
    </div>
  )
}

function prepare(alert: UpdateAlert, language: Language) {
  const now = Date.now()
  const v = translator(visitorTexts, language)
  if (phaseOf(alert, now) === 'running') return v('running', { time: describeInstant(alert.ends_at, language).time })
  return v('planned', { when: describeWhen(alert.next_update, language, translator(alertTexts, language), now) })
}

/** Same id for one update in one conversation: sent twice, also by a colleague, the message is stored once. */
export function announcementId({ id_update: id, next_update: start }: { id_update: number; next_update: string }, chat: number) {
  const minute = hex(Date.parse(start) / 60_000, 7)
  return `${hex(id, 8)}-${minute.slice(0, 4)}-8${minute.slice(4)}-8000-${hex(chat, 12)}`
}

const hex = (value: number, length: number) => Math.floor(value).toString(16).padStart(length, '0')
