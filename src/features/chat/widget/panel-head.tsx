import { CloseIcon, MinusIcon } from '#src/ui/components/icons.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { pickVariant } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { texts } from './panel-texts.ts'
import type { ChatAvailability } from '../contract.ts'
import type { ChatMessage } from '../protocol.ts'
import type { SessionState } from './visitor-session.ts'

type PanelHeadProps = {
  titleId: string
  state: SessionState
  availability: ChatAvailability | null
  messages: readonly ChatMessage[]
  isMuted: boolean
  onMute: () => void
  onMinimize: () => void
  onClose: () => void
}

/** The technician's photo, name, title and presence, and the window's buttons. */
export function PanelHead({ titleId, state, availability, messages, isMuted, onMute, onMinimize, onClose }: PanelHeadProps) {
  const t = useTexts(texts)
  const isRunning = state.phase === 'open'
  const language = useLanguage()
  const person = isRunning ? (state.queue ?? messages.findLast((one) => one.bz_staff)) : undefined
  const name = person?.user_name
  const title = state.queue && pickVariant(language, state.queue.title, state.queue.title_en)
  return (
    <header className="night chat-head flex items-center gap-1">
      {name && person.image_url && <img src={person.image_url} alt="" width="40" height="40" className="chat-photo" />}
      <div className="chat-head-text min-w-0 grow">
        <h2 id={titleId} className="truncate" translate={name ? 'no' : undefined}>
          {name ?? t('title')}
        </h2>
        {name && title?.text && (
          <p className="truncate text-sm" lang={title.lang}>
            {title.text}
          </p>
        )}
        <p className="text-sm text-ink-2">
          <Presence state={state} availability={availability} />
        </p>
      </div>
      {isRunning && (
        <IconButton label={t(isMuted ? 'unmute' : 'mute')} icon={isMuted ? <MutedIcon /> : <SoundIcon />} onClick={onMute} />
      )}
      {isRunning && <IconButton label={t('minimize')} icon={<MinusIcon />} onClick={onMinimize} />}
      <IconButton label={t('close')} icon={<CloseIcon />} onClick={onClose} />
    </header>
  )
}

function Presence({ state: { phase, link }, availability }: Pick<PanelHeadProps, 'state' | 'availability'>) {
  const t = useTexts(texts)
  const who = availability?.state === 'open' ? 'technicians' : availability?.state
  const shown = { open: linkTexts[link], form: who, closed: who, ended: 'ended', nobody: 'busy', broken: 'inactive' } as const
  const text = shown[phase as keyof typeof shown]
  const isLit = text === 'online' || text === 'technicians'
  return text && <Lamp on={isLit}>{t(text, { count: availability?.user_count ?? 0 })}</Lamp>
}

const linkTexts = { up: 'online', lost: 'connecting', offline: 'offline' } as const

// Not in the site's icons, which every page loads.
const SoundIcon = pathIcon('M5 9.5v5h3.5L13 18V6L8.5 9.5zM16.5 9a4.5 4.5 0 0 1 0 6m2.5-8.5a8 8 0 0 1 0 11')
const MutedIcon = pathIcon('M5 9.5v5h3.5L13 18V6L8.5 9.5zM17 9.5l4.5 5m0-5-4.5 5')
export const ClipIcon = pathIcon(
  'm19.5 11.5-7.6 7.6a4.6 4.6 0 0 1-6.5-6.5l8-8a3.1 3.1 0 0 1 4.4 4.4l-8 8a1.5 1.5 0 0 1-2.2-2.2l7.3-7.3',
)
