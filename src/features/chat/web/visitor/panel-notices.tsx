import { useEffect, useRef } from 'react'
import { Button } from '#src/ui/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '../../texts.ts'
import { Later } from './later.tsx'
import type { ChatState } from './visitor-state.ts'
import { readKept } from './visitor-storage.ts'
import { WayOut } from './way-out.tsx'

export type NoticeProps = { onCheck: () => void; onLeave: () => void }
const loadMessage = () => import('./panel-message.tsx').then((loaded) => loaded.PanelMessage)

/** What was begun does not come about: the other ways in, while it is tried again. */
export function BrokenNotice({ phase, state, ...rest }: NoticeProps & { phase: 'broken' | 'nobody'; state: ChatState }) {
  const t = useTexts(texts)
  return (
    <Notice key={phase} title={t(`${phase}Title`)} isBroken={phase === 'broken'} state={state} {...rest}>
      <p role="alert" className="rounded-field bg-err-soft px-4 py-3 font-bold text-err">
        {t(phase)}
      </p>
      {phase === 'broken' && <p className="mt-2">{t('stillTrying')}</p>}
    </Notice>
  )
}

type FrameProps = NoticeProps & { title: string; isBroken?: boolean; state?: ChatState; children: React.ReactNode }

export function Notice({ title, isBroken, state, children, onCheck, onLeave }: FrameProps) {
  const t = useTexts(texts)
  const heading = useRef<HTMLHeadingElement>(null)
  // It may load after the panel looked for where to go on.
  useEffect(() => heading.current?.focus(), [])
  const idChat = state?.idChat ?? null
  const written = [...(state?.conversation.unsent.map((one) => one.message) ?? []), readKept().draft]
  return (
    <div className="chat-body">
      <h3 ref={heading} data-first="" tabIndex={-1} className="mb-3 outline-none">
        {title}
      </h3>
      {children}
      <WayOut state={state} onLeave={onLeave} isBroken={isBroken} />
      <div className="mt-6 grid gap-3">
        {!isBroken && <Later load={loadMessage} with={{ idChat, start: written.filter(Boolean).join('\n') }} />}
        <Button variant="secondary" wide onClick={onCheck}>
          {t(idChat ? 'resume' : 'checkAgain')}
        </Button>
      </div>
    </div>
  )
}
