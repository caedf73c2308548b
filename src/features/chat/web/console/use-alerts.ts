import { useEffect, useMemo, useRef } from 'react'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { locales } from '#src/lib/language.ts'
import { alertTexts } from '../../alert-texts.ts'
import { becomeLeader, notify, playSound, readAlertChoice } from './alerts.ts'
import type { ConsoleCall } from './follow-console.ts'

const excerptLength = 120

/**
 * Calls the technician: by sound at once, by a notification where the page is not in front of them. A visitor nobody
 * takes calls louder with time: the title of the tab first, then a notification, and the server writes at last.
 */
export function useAlerts(onOpen: (id: number) => void) {
  const t = useTexts(alertTexts)
  const language = useLanguage()
  const isLeader = useRef<() => boolean>(() => false)
  const open = useRef(onOpen)
  useEffect(() => {
    open.current = onOpen
  }, [onOpen])
  useEffect(() => {
    const ending = new AbortController()
    isLeader.current = becomeLeader(ending.signal)
    return () => ending.abort()
  }, [])

  return useMemo(
    () => (call: ConsoleCall, isAvailable: boolean) => {
      const { type, chat } = call
      if (type === 'chat' && !isAvailable) return
      const choice = readAlertChoice()
      if (choice.sound && isLeader.current()) {
        playSound(type === 'message' ? 'message' : 'chat').catch((error: unknown) => console.warn(error))
      }
      const isInFront = document.visibilityState === 'visible' && document.hasFocus()
      if (!choice.notification || isInFront || type === 'chat') return
      const name = chat.client_business || chat.client_name
      const body = type === 'message' ? call.message.message.slice(0, excerptLength) : t('open')
      const title = t(type === 'message' ? 'says' : type === 'handed' ? 'handed' : 'waits', { name })
      void notify({ title, body, tag: `chat-${chat.id}`, lang: locales[language], onOpen: () => open.current(chat.id) })
    },
    [t, language],
  )
}
