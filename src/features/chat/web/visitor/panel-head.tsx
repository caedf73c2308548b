import { CloseIcon, MinusIcon } from '#src/ui/icons.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Lamp } from '#src/ui/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '../../texts.ts'
import { MutedIcon, SoundIcon } from './panel-icons.tsx'
import type { ChatState } from './visitor-state.ts'

type PanelHeadProps = {
  titleId: string
  state: ChatState
  isMuted: boolean
  onMute: () => void
  onMinimize: () => void
  onClose: () => void
}

/** Who answers, whether they are there, and the window's buttons. */
export function PanelHead({ titleId, state, isMuted, onMute, onMinimize, onClose }: PanelHeadProps) {
  const t = useTexts(texts)
  const isRunning = state.phase === 'talking'
  const name = staffName(state)
  return (
    <header className="night chat-head flex items-center gap-1">
      <div className="chat-head-words min-w-0 grow">
        <h2 id={titleId} className="truncate" translate={name ? 'no' : undefined}>
          {name ?? t('title')}
        </h2>
        <p className="text-sm text-ink-2">
          <PresenceLine state={state} />
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

function PresenceLine({ state: { phase, availability, link } }: { state: ChatState }) {
  const t = useTexts(texts)
  if (phase === 'talking') return <Lamp on={link === 'up'}>{t(presence[link])}</Lamp>
  if (phase === 'form') return <Lamp on>{t('technicians', { count: availability?.user_count ?? 0 })}</Lamp>
  if (phase === 'ended') return <Lamp on={false}>{t('over')}</Lamp>
  if (phase === 'shut' || phase === 'broken' || phase === 'nobody') return <Lamp on={false}>{t('shut')}</Lamp>
  return null
}

const presence = { up: 'online', connecting: 'connecting', down: 'offline' } as const

const staffName = ({ conversation }: ChatState) => conversation.messages.findLast((one) => one.bz_staff)?.user_name
