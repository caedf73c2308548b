import { CloseIcon, DownloadIcon, LockIcon, PlayIcon, TrashIcon } from '#src/ui/components/icons.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Recording } from '../contract.ts'
import { recordingTexts } from '../texts.ts'

/** What the person may do, by the settings and their own level. */
export type Allowed = { play: boolean; download: boolean; hold: boolean; delete: boolean }

type RecordingActionsProps = {
  recording: Recording
  call: string
  may: Allowed
  isOpen: boolean
  onPlay: () => void
  onHold: (onHold: boolean) => void
  onRemove: () => void
}

export function RecordingActions({ recording, call, may, isOpen, onPlay, onHold, onRemove }: RecordingActionsProps) {
  const t = useTexts(recordingTexts)
  const { on_hold: isHeld, id_recording: id } = recording
  const holdLabel = t(isHeld ? 'release' : 'hold', { call })
  return (
    <>
      {may.play && (
        <IconButton
          label={isOpen ? t('close') : t('listen', { call })}
          icon={isOpen ? <CloseIcon /> : <PlayIcon />}
          aria-expanded={isOpen}
          onClick={onPlay}
        />
      )}
      {may.download && (
        <a
          href={`/api/recordings/recordings/${id}/download`}
          download
          className="button button-quiet button-icon"
          aria-label={t('download', { call })}
          title={t('download', { call })}
        >
          <DownloadIcon />
        </a>
      )}
      {(isHeld ? may.delete && may.hold : may.hold) && (
        <IconButton label={holdLabel} icon={<LockIcon />} aria-pressed={isHeld} onClick={() => onHold(!isHeld)} />
      )}
      {may.delete && !isHeld && <IconButton label={t('remove', { call })} icon={<TrashIcon />} onClick={onRemove} />}
    </>
  )
}
