import type { FormEvent } from 'react'
import { useState } from 'react'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { Field } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { recordingTexts } from '../texts.ts'
import type { RefusalReason } from '../values.ts'
import { refusalReasons, uploadExtensions, uploadMaxBytes } from '../values.ts'

type State = 'waiting' | 'sending' | 'imported' | RefusalReason | ReturnType<typeof failureOf>
type Row = { file: File; state: State }

type RecordingImportProps = { open: boolean; onClose: () => void; onImported: () => void }

/** Uploads the chosen files one after the other, each with its sidecar, and shows each outcome. */
export function RecordingImport({ open, onClose, onImported }: RecordingImportProps) {
  const t = useTexts(recordingTexts)
  const f = useTexts(failureTexts)
  const [rows, setRows] = useState<Row[]>([])
  const [notes, setNotes] = useState<File[]>([])
  const [busy, setBusy] = useState(false)
  const isDone = rows.length > 0 && rows.every(({ state }) => state !== 'waiting' && state !== 'sending')
  const setStatus = (file: File, state: State) => setRows((all) => all.map((row) => (row.file === file ? { file, state } : row)))

  const choose = (list: FileList | null) => {
    const files = [...(list ?? [])]
    setNotes(files.filter(isNote))
    setRows(files.filter((file) => !isNote(file)).map((file) => ({ file, state: 'waiting' })))
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    for (const { file, state } of rows) {
      if (state !== 'waiting') continue
      setStatus(file, 'sending')
      setStatus(file, await sendOne(file, notes))
    }
    setBusy(false)
    onImported()
  }
  const close = () => {
    setRows([])
    setNotes([])
    onClose()
  }
  const labelOf = (state: State) =>
    state in recordingTexts.fr ? t(state as keyof (typeof recordingTexts)['fr']) : f(state as never)

  return (
    <Dialog open={open} onClose={close} title={t('importTitle')}>
      <form className="grid gap-4" onSubmit={(event) => void send(event)}>
        <Field label={t('files')} hint={t('importHint')}>
          {(attributes) => (
            <input
              type="file"
              multiple
              required
              accept={uploadExtensions.join(',')}
              className="input"
              disabled={busy}
              onChange={(event) => choose(event.target.files)}
              {...attributes}
            />
          )}
        </Field>
        <ul aria-live="polite" className="grid gap-2">
          {rows.map(({ file, state }) => (
            <li key={file.name} className="border-s-2 border-line ps-3 text-sm">
              <span className="font-bold wrap-anywhere">{file.name}</span>
              <br />
              {labelOf(state)}
            </li>
          ))}
        </ul>
        {isDone ? (
          <Button onClick={close}>{t('done')}</Button>
        ) : (
          <Button type="submit" busy={busy} disabled={rows.length === 0}>
            {t('start')}
          </Button>
        )}
      </form>
    </Dialog>
  )
}

const isNote = ({ name }: File) => /\.(json|csv)$/i.test(name)

async function sendOne(file: File, notes: File[]): Promise<State> {
  if (file.size > uploadMaxBytes) return 'tooLarge'
  const form = new FormData()
  for (const note of notes.filter((one) => belongsTo(file, one))) form.append('note', note)
  form.append('file', file)
  try {
    await callApi('POST', '/api/recordings/recordings', form)
    return 'imported'
  } catch (error) {
    console.warn(error)
    const reason = error instanceof ApiError ? error.problem.reason : null
    return refusalReasons.find((one) => one === reason) ?? failureOf(error)
  }
}

/** A table may speak of any file, a note of the one whose name it has. */
function belongsTo(file: File, note: File) {
  const stem = file.name.replace(/\.[^.]*$/, '')
  return /\.csv$/i.test(note.name) || [`${stem}.json`, `${file.name}.json`].includes(note.name)
}
