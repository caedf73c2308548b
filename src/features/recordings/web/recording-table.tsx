import { company } from '#company/company.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { apiAddress } from '#src/ui/hosts.ts'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { CloseIcon, DownloadIcon, LockIcon, PlayIcon, TrashIcon } from '#src/ui/components/icons.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Recording } from '../contract.ts'
import { recordingTexts } from '../texts.ts'

const tones = { in: 'ok', out: 'brand', internal: 'neutral' } as const

type RecordingTableProps = {
  rows: Recording[]
  may: Allowed
  /** Name of a call: its date and time. */
  callOf: (recording: Recording) => string
  openId: number | null
  onPlay: (recording: Recording) => void
  onHold: (recording: Recording, onHold: boolean) => void
  onRemove: (recording: Recording) => void
}

export function RecordingTable({ rows, may, callOf, openId, onPlay, onHold, onRemove }: RecordingTableProps) {
  const t = useTexts(recordingTexts)
  return (
    <Table
      caption={t('title')}
      rows={rows}
      rowKey={(row) => row.id_recording}
      onOpen={may.play ? onPlay : undefined}
      columns={[
        {
          header: t('date'),
          isRowHeader: true,
          isShort: true,
          className: 'tabular whitespace-nowrap',
          cell: (row) => <Moment at={row.date} timeZone={company.hours.timeZone} />,
        },
        { header: t('direction'), cell: (row) => <Badge tone={tones[row.direction]}>{t(row.direction)}</Badge> },
        {
          header: t('caller'),
          className: 'tabular whitespace-nowrap',
          cell: (row) => formatPhoneNumber(row.caller) || unknown(t('unknown')),
        },
        {
          header: t('callee'),
          className: 'tabular whitespace-nowrap',
          cell: (row) => formatPhoneNumber(row.callee) || unknown(t('unknown')),
        },
        { header: t('agent'), isText: true, cell: (row) => row.agent || unknown('–') },
        {
          header: t('duration'),
          className: 'tabular',
          cell: (row) => (
            <span className="flex flex-wrap items-center gap-2">
              <span>{formatDuration(row.duration)}</span>
              {row.on_hold && <Badge tone="warn">{t('held')}</Badge>}
            </span>
          ),
        },
      ]}
      actions={{
        header: t('actions'),
        cell: (row) => (
          <RecordingActions
            recording={row}
            call={callOf(row)}
            may={may}
            isOpen={openId === row.id_recording}
            onPlay={() => onPlay(row)}
            onHold={(isOnHold) => onHold(row, isOnHold)}
            onRemove={() => onRemove(row)}
          />
        ),
      }}
    />
  )
}

const unknown = (text: string) => <span className="text-ink-2">{text}</span>

/** What the user may do, by the settings and their level. */
type Allowed = { play: boolean; download: boolean; hold: boolean; delete: boolean }

type RecordingActionsProps = {
  recording: Recording
  call: string
  may: Allowed
  isOpen: boolean
  onPlay: () => void
  onHold: (onHold: boolean) => void
  onRemove: () => void
}

function RecordingActions({ recording, call, may, isOpen, onPlay, onHold, onRemove }: RecordingActionsProps) {
  const t = useTexts(recordingTexts)
  const { on_hold: isOnHold, id_recording: id } = recording
  const holdLabel = t(isOnHold ? 'release' : 'hold', { call })
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
          href={apiAddress(`/api/recordings/recordings/${id}/download`)}
          download
          className="button button-quiet button-icon"
          aria-label={t('download', { call })}
          title={t('download', { call })}
        >
          <DownloadIcon />
        </a>
      )}
      {(isOnHold ? may.delete && may.hold : may.hold) && (
        <IconButton label={holdLabel} icon={<LockIcon />} aria-pressed={isOnHold} onClick={() => onHold(!isOnHold)} />
      )}
      {may.delete && !isOnHold && <IconButton label={t('remove', { call })} icon={<TrashIcon />} onClick={onRemove} />}
    </>
  )
}

/** Formats a North American number as 418 555-0123; extensions and foreign numbers stay as they are. */
export function formatPhoneNumber(number: string) {
  return number.replace(
    /^(?:\+?(1))?(\d{3})(\d{3})(\d{4})$/,
    (_number, one: string | undefined, ...[area, office, line]: string[]) =>
      [one, area, `${office}-${line}`].filter(Boolean).join('\u00A0'),
  )
}

/** Formats a duration with hours only if needed: 3:05, 1:02:09. */
export function formatDuration(seconds: number) {
  const whole = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
