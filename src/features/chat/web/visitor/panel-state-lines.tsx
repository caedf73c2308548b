import { useEffect, useState } from 'react'
import { pickVariant } from '#src/lib/language.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '../../texts.ts'
import type { QueuePlace } from '../../values.ts'
import { Later } from './later.tsx'
import type { ChatState } from './visitor-state.ts'
import { patience } from './visitor-visit.ts'
import { WayOut } from './way-out.tsx'

const loadUpdate = () => import('./panel-update.tsx').then((loaded) => loaded.UpdateLine)

/** The visitor's place until a technician answers, and how long others waited. */
export function QueueLine({ queue }: { queue: QueuePlace }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { position, expected_minutes: minutes, user_name: name } = queue
  const said = pickVariant(language, queue.expected_wait, queue.expected_wait_en)
  if (position === 0) return name ? <p key="taken">{t('taken', { name })}</p> : null
  return (
    <p key="place">
      <span>{position === 1 ? t('nextInLine') : t('inLine', { position })}</span>{' '}
      {minutes !== null && <span>{t('expected', { count: minutes })} </span>}
      {said.text && <span lang={said.lang}>{said.text}</span>}
    </p>
  )
}

/** What goes wrong now, with the text kept: the connection, or a message that was not taken. */
export function TroubleLines({ state, onLeave }: { state: ChatState; onLeave: () => void }) {
  const t = useTexts(texts)
  const { link, sendRefusal, update } = state
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (link === 'up') return setLate(false)
    const timer = setTimeout(() => setLate(true), patience)
    return () => clearTimeout(timer)
  }, [link])
  return (
    <>
      <div role="status">
        {update && <Later load={loadUpdate} with={{ update }} />}
        {link !== 'up' && (
          <div className="bg-warn-soft px-5 py-3 text-sm text-warn">
            <p className="font-bold">{t('lost')}</p>
            {isLate && <WayOut state={state} isBroken onLeave={onLeave} />}
          </div>
        )}
      </div>
      {sendRefusal && (
        <p role="alert" className="bg-err-soft px-5 py-3 text-sm font-bold text-err">
          {sendRefusal.code === 'limited'
            ? t('limited', { count: sendRefusal.wait })
            : t(sendRefusal.code === 'invalid' ? 'refused' : 'refusedBroken')}
        </p>
      )}
    </>
  )
}

export function Apology({ onLeave }: { onLeave: () => void }) {
  const t = useTexts(texts)
  return (
    <div role="alert" className="border-t border-line bg-surface px-5 py-3">
      <p>{t('unanswered')}</p>
      <Button variant="secondary" size="small" className="mt-2" onClick={onLeave}>
        {t('leaveMessage')}
      </Button>
    </div>
  )
}
