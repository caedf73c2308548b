import { useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { addToDraft } from '#src/ui/forms/form-draft.ts'
import { PhoneLink } from './opening.tsx'
import { texts } from './panel-texts.ts'
import type { VisitorSession } from './visitor-session.ts'
import { readStored } from './visitor-storage.ts'
import type { ComponentType } from 'react'

export type NoticeProps = { session: VisitorSession; onLeave: () => void }
export const loadMessage = () => import('./panel-message.tsx').then((loaded) => loaded.PanelMessage)

type BrokenNoticeProps = NoticeProps & { phase: 'broken' | 'nobody'; children?: React.ReactNode }

/** The chat does not connect: phone and form, while it is tried again. */
export function BrokenNotice({ phase, children, ...rest }: BrokenNoticeProps) {
  const t = useTexts(texts)
  return (
    <Notice key={phase} title={t(`${phase}Title`)} isBroken={phase === 'broken'} {...rest}>
      <p role="alert" className="rounded-field bg-err-soft px-4 py-3 font-bold text-err">
        {t(phase)}
      </p>
      {children}
      {phase === 'broken' && <p className="mt-2">{t('stillTrying')}</p>}
    </Notice>
  )
}

type FrameProps = NoticeProps & { title: string; isBroken?: boolean; children: React.ReactNode }

export function Notice({ session, title, isBroken, children, onLeave }: FrameProps) {
  const t = useTexts(texts)
  const heading = useRef<HTMLHeadingElement>(null)
  // It may load after the panel has set the focus.
  useEffect(() => heading.current?.focus(), [])
  const { idChat } = session.read()
  return (
    <div className="chat-body">
      <h3 ref={heading} data-first="" tabIndex={-1} className="mb-3 outline-none">
        {title}
      </h3>
      {children}
      <WayOut session={session} onLeave={onLeave} isBroken={isBroken} />
      <div className="mt-6 grid gap-3">
        {!isBroken && (
          <LazyComponent load={loadMessage} with={{ idChat, start: session.unsentText(), onText: session.replaceUnsentText }} />
        )}
        <Button variant="secondary" wide onClick={session.retry}>
          {t(idChat ? 'resume' : 'checkAgain')}
        </Button>
      </div>
    </div>
  )
}

type WayOutProps = NoticeProps & { isBroken?: boolean | undefined }

/** The phone number; where the chat does not connect also the form, prefilled with the unsent text. */
export function WayOut({ session, isBroken, onLeave }: WayOutProps) {
  const t = useTexts(texts)
  const carryOver = () => {
    const { visitor } = readStored()
    const text = session.unsentText()
    if (text) addToDraft('requests/support', 'description', text)
    if (visitor) addToDraft('requests/support', 'email', visitor.email)
    onLeave()
  }
  return (
    <>
      <p className="mt-2">
        <span>{t('urgent')}</span> <PhoneLink />
        <span>, {t('dayAndNight')}</span>
      </p>
      {isBroken && (
        <ButtonLink to="/appel-de-service" wide className="mt-3" onClick={carryOver}>
          {t('serviceCall')}
        </ButtonLink>
      )}
    </>
  )
}

type LazyComponentProps<P extends object> = { load: () => Promise<ComponentType<P>>; with: P }

/** A part of the panel that loads when it is first shown. `load` must be the same function each time. */
export function LazyComponent<P extends object>({ load, with: props }: LazyComponentProps<P>) {
  const t = useTexts(texts)
  const [Part, setPart] = useState<ComponentType<P> | null>(null)
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    let isGone = false
    load().then(
      (loaded) => !isGone && setPart(() => loaded),
      () => !isGone && setFailed(true),
    )
    return () => {
      isGone = true
    }
  }, [load])
  if (isFailed)
    return (
      <p role="alert" className="py-2 font-bold text-err">
        {t('broken')}
      </p>
    )
  return Part && <Part {...props} />
}
