import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#src/ui/api.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { StaffChat } from '../protocol.ts'
import { composerTexts } from './composer-texts.ts'
import type { ConsoleState } from './console-state.ts'
import { operationKey } from './console-state.ts'
import type { StaffSession } from './staff-session.ts'

/** A visitor who opens another page is gone this long at most; then the answer goes by mail. */
export const reloadMs = 15_000

/** Mails the text within the request that the conversation becomes. */
export function useMailing(
  chat: StaffChat,
  text: string,
  session: Pick<StaffSession, 'mailAnswer'>,
  { pending }: Pick<ConsoleState, 'pending'>,
  onMailed: (reference: string) => void,
) {
  const t = useTexts(composerTexts)
  const f = useTexts(failureTexts)
  const [hasNoMail, setNoMail] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const isSending = pending.includes(operationKey('mail', chat.id))
  const status = isSending ? 'sending' : hasNoMail ? 'noMail' : 'ready'
  const mail = async () => {
    if (isSending) return
    setFailure(null)
    try {
      onMailed(await session.mailAnswer(chat.id, text))
    } catch (error) {
      console.warn(error)
      const hasNoMail = error instanceof ApiError && error.problem.reason === 'no mail'
      setNoMail(hasNoMail)
      setFailure(hasNoMail ? t('noMail') : f(failureOf(error)))
    }
  }
  const address = `mailto:${encodeURIComponent(chat.client_email)}?body=${encodeURIComponent(text)}`
  return { status, failure, address, send: () => void mail() }
}

export type Mailing = ReturnType<typeof useMailing>

/** By mail; where the server has none, by one's own program. */
export function MailChoice(mailing: Mailing) {
  const t = useTexts(composerTexts)
  const { status, address, send } = mailing
  return (
    <>
      {status === 'noMail' ? (
        <ButtonAnchor variant="secondary" size="small" href={address}>
          {t('ownMail')}
        </ButtonAnchor>
      ) : (
        <Button variant="secondary" size="small" busy={status === 'sending'} onClick={send}>
          {t('byEmail')}
        </Button>
      )}
      <MailFailure {...mailing} />
    </>
  )
}

export function MailFailure({ failure }: Mailing) {
  return (
    <span role="alert" className="text-sm">
      {failure}
    </span>
  )
}

/** Takes the focus where it was on a button that left with the text. */
export function MailedNotice({ reference }: { reference: string }) {
  const t = useTexts(composerTexts)
  const notice = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) notice.current?.focus()
  }, [])
  return (
    <p ref={notice} tabIndex={-1} role="status" className="text-sm" translate="no">
      {t('mailed', { reference })}
    </p>
  )
}
