import type { ClipboardEvent, DragEvent } from 'react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { defineTexts } from '#src/lib/language/texts.ts'
import { Button } from '#src/ui/components/button.tsx'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { UploadBar, useLonger } from '#src/ui/uploads/upload-bar.tsx'
import { attachedFileTypes } from '../values.ts'
import type { OutgoingFile, OutgoingFiles } from './outgoing-files.ts'
import { canRetry, isRefused } from './outgoing-files.ts'

/** Files that a technician sends to the visitor. */
export const composerFileTexts = defineTexts({
  fr: {
    attach: 'Joindre une image, un PDF ou un texte',
    files: 'Fichiers joints',
    ready: 'Pas encore envoyé',
    sending: 'Envoi…',
    stopped: 'Envoi arrêté.',
    size: '{count} Ko',
    remove: 'Retirer',
    removeOf: 'Retirer {name}',
    removeRefused: 'Retirer les {count} fichiers refusés',
    retry: 'Réessayer',
    retryOf: 'Réessayer {name}',
    resume: 'Reprendre',
    resumeOf: 'Reprendre l’envoi de {name}',
    picture: 'Image à envoyer : {name}',
    fileTooLarge: 'Ce fichier dépasse 10 Mo. Choisissez-en un plus petit.',
    fileWrongType: 'Ce fichier n’est ni une image (jpg, png, webp, avif), ni un PDF, ni un texte (UTF-8).',
    fileUnreadable: 'Cette image est illisible, ou compte plus de 40 millions de pixels. Réduisez-la, puis réessayez.',
    fileLimit: 'Cette conversation a atteint la limite de 20 fichiers.',
    fileLimited: 'Trop de fichiers d’affilée. Réessayez dans quelques minutes.',
    fileNotYours: 'Cette conversation est fermée ou prise en charge par un autre technicien. Prenez le relais, puis réessayez.',
    fileForbidden: 'Votre groupe d’accès ne permet pas d’envoyer un fichier.',
    fileSignedOut: 'Votre session est terminée. Connectez-vous, puis réessayez.',
    fileFailed: 'Le fichier n’a pas été envoyé. Vérifiez votre connexion, puis réessayez.',
  },
  en: {
    attach: 'Attach a picture, a PDF or a text',
    files: 'Attached files',
    ready: 'Not sent yet',
    sending: 'Sending…',
    stopped: 'Sending stopped.',
    size: '{count} KB',
    remove: 'Remove',
    removeOf: 'Remove {name}',
    removeRefused: 'Remove the {count} rejected files',
    retry: 'Try again',
    retryOf: 'Try again {name}',
    resume: 'Resume',
    resumeOf: 'Resume sending {name}',
    picture: 'Picture to send: {name}',
    fileTooLarge: 'This file is over 10 MB. Choose a smaller one.',
    fileWrongType: 'This file is not a picture (jpg, png, webp, avif), a PDF or a text (UTF-8).',
    fileUnreadable: 'This picture is unreadable, or has more than 40 million pixels. Reduce it, then try again.',
    fileLimit: 'This conversation has reached the limit of 20 files.',
    fileLimited: 'Too many files in a row. Try again in a few minutes.',
    fileNotYours: 'This conversation is closed or assigned to another technician. Take it over, then try again.',
    fileForbidden: 'Your access group does not allow you to send a file.',
    fileSignedOut: 'Your session has ended. Sign in, then try again.',
    fileFailed: 'The file was not sent. Check your connection, then try again.',
  },
})

const ClipIcon = pathIcon('m20 11-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a1.8 1.8 0 0 1-2.5-2.5L14.5 7')

export function useFilesOf(files: OutgoingFiles, id: number) {
  const read = () => files.read(id)
  return useSyncExternalStore(files.subscribe, read, read)
}

/** Pasted into the field of an answer. Office programs add a picture to a text that is copied: the text is what was meant. */
export function pasteFiles(onFiles: (files: File[]) => void) {
  return (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData
    if (files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    onFiles([...files])
  }
}

const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Without this the browser opens a file that is dropped beside a conversation, in place of the console. */
export const ignoreDroppedFiles = {
  onDragOver: (event: DragEvent) => holdsFiles(event) && event.preventDefault(),
  onDrop: (event: DragEvent) => holdsFiles(event) && event.preventDefault(),
}

/** An area on which files are dropped. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  return {
    'data-drop': isOver || undefined,
    onDragOver: (event: DragEvent) => setOver(holdsFiles(event)),
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      setOver(false)
      if (holdsFiles(event)) onFiles([...event.dataTransfer.files])
    },
  }
}

export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const t = useTexts(composerFileTexts)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={attachedFileTypes}
        onChange={({ target }) => {
          // A copy: clearing the field empties its list.
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <IconButton label={t('attach')} icon={<ClipIcon />} onClick={() => input.current?.click()} />
    </>
  )
}

/** The files of one conversation that the server does not have yet. */
export function OutgoingFileList({ files, id }: { files: OutgoingFiles; id: number }) {
  const t = useTexts(composerFileTexts)
  const all = useFilesOf(files, id)
  if (all.length === 0) return null
  const refused = all.filter(isRefused).length
  return (
    <>
      <ul className="console-files" aria-label={t('files')}>
        {all.map((one) => (
          <OutgoingFileRow
            key={one.clientMessageId}
            outgoing={one}
            onRemove={() => files.remove(id, one.clientMessageId)}
            onStop={() => files.stop(one.clientMessageId)}
            onRetry={() => files.retry(id, one.clientMessageId)}
          />
        ))}
      </ul>
      {refused > 1 && (
        <Button variant="secondary" size="small" className="ms-auto" onClick={() => files.removeRefused(id)}>
          {t('removeRefused', { count: refused })}
        </Button>
      )}
    </>
  )
}

/** Shorter uploads show no progress. */
const progressAfterMs = 2_000

type RowProps = { outgoing: OutgoingFile; onRemove: () => void; onStop: () => void; onRetry: () => void }

function OutgoingFileRow({ outgoing, onRemove, onStop, onRetry }: RowProps) {
  const t = useTexts(composerFileTexts)
  const { file, state, progress } = outgoing
  const isSending = state === 'sending'
  const isStopped = state === 'stopped'
  const isLong = useLonger(isSending, progressAfterMs)
  const address = usePreview(file)
  const hasFailed = !isSending && !isStopped && state !== 'ready'
  return (
    <li className="console-outgoing">
      {address && <img src={address} alt={t('picture', { name: file.name })} />}
      <div className="console-outgoing-text">
        <p className="wrap-anywhere">
          <strong>{file.name}</strong>{' '}
          <span className="tabular whitespace-nowrap">
            {`(${t('size', { count: Math.max(1, Math.round(file.size / 1_024)) })})`}
          </span>
        </p>
        {isLong && progress ? (
          <UploadBar name={file.name} progress={progress} onStop={onStop} />
        ) : (
          <p
            role={hasFailed ? 'alert' : 'status'}
            key={String(hasFailed)}
            className={hasFailed ? 'font-bold text-err' : 'text-ink-2'}
          >
            {t(state)}
          </p>
        )}
      </div>
      {canRetry(outgoing) && (
        <Button
          variant="secondary"
          size="small"
          aria-label={t(isStopped ? 'resumeOf' : 'retryOf', { name: file.name })}
          onClick={onRetry}
        >
          {t(isStopped ? 'resume' : 'retry')}
        </Button>
      )}
      {!isSending && (
        <Button variant="secondary" size="small" aria-label={t('removeOf', { name: file.name })} onClick={onRemove}>
          {t('remove')}
        </Button>
      )}
    </li>
  )
}

function usePreview(file: File) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file.type.startsWith('image/')) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
