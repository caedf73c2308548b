import type { DragEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Photo } from '#src/ui/components/photo.tsx'
import { photoTexts } from '../texts.ts'
import { photoMaxBytes, photoTypes } from '../values.ts'

type Choice = { photo?: string | null; new_photo?: string; new_photo_path?: string }
type PhotoPickerProps = {
  name: string
  photo: string | null
  newPhoto: string | undefined
  newPhotoPath: string | undefined
  onChange: (choice: Choice) => void
}

type Problem = 'wrongType' | 'tooLarge' | 'unreadable'

/** Circular preview and file picker; a photo can be dropped on it too. */
export function PhotoPicker({ name, photo, newPhoto, newPhotoPath, onChange }: PhotoPickerProps) {
  const t = useTexts(photoTexts)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isOver, setOver] = useState(false)
  const shown = newPhoto ?? photo

  const handleFile = async (file: File | undefined) => {
    if (!file) return
    const found = problemOf(file)
    setProblem(found)
    if (found) return
    try {
      const content = await readPhoto(file)
      await decoded(content)
      onChange({ new_photo: content, new_photo_path: file.name })
    } catch (error) {
      console.warn(error)
      setProblem('unreadable')
    }
  }
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void handleFile(event.dataTransfer.files[0])
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is a second way; the button is the first
    <div
      className={`grid content-start justify-items-center gap-2.5 rounded-card border-2 border-dashed p-3 text-center ${isOver ? 'border-brand bg-brand-soft' : 'border-transparent'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
    >
      <ShownPhoto
        photo={shown}
        name={name || '?'}
        alt={t('photoPreview')}
        className="w-40 rounded-full border-3 border-surface outline-2 outline-line"
      />
      <label htmlFor={id} className="sr-only">
        {t('photo')}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        className="sr-only"
        tabIndex={-1}
        accept={photoTypes.map((type) => `.${type}`).join(',')}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          void handleFile(event.target.files?.[0])
          // Without this, choosing the same file again fires no change event.
          event.target.value = ''
        }}
      />
      <Button variant="secondary" size="small" onClick={() => input.current?.click()}>
        {t(shown ? 'changePhoto' : 'choosePhoto')}
      </Button>
      {shown && (
        <Button
          variant="link"
          size="small"
          onClick={() => onChange({ photo: newPhoto ? photo : null, new_photo: undefined, new_photo_path: undefined })}
        >
          {t('removePhoto')}
        </Button>
      )}
      <p id={`${id}-hint`} className="field-hint">
        {t('photoHint')}
      </p>
      <p role="status" className="text-sm font-bold wrap-anywhere">
        {problem && <span className="text-err">{t(problem)}</span>}
        {!problem && newPhotoPath && <span>{t(newPhoto ? 'photoNew' : 'photoLost', { name: newPhotoPath })}</span>}
      </p>
    </div>
  )
}

type ShownPhotoProps = { photo: string | null; name: string; alt?: string; className?: string }

/** A stored photo, or a newly chosen one. */
export function ShownPhoto({ photo, name, alt = '', className = '' }: ShownPhotoProps) {
  if (!photo?.startsWith('data:')) return <Photo photo={photo} name={name} alt={alt} sizes="320px" className={className} />
  return <img src={photo} alt={alt} className={`photo photo-chosen ${className}`} />
}

/** Checks the extension and the size only; the server checks the content. */
function problemOf(file: File): Problem | null {
  const extension = file.name.split('.').at(-1)?.toLowerCase()
  if (!photoTypes.some((type) => type === extension)) return 'wrongType'
  return file.size > photoMaxBytes ? 'tooLarge' : null
}

/** Decodes the photo at once, so that a damaged file is rejected before the form is saved. */
async function decoded(content: string) {
  const image = new Image()
  image.src = content
  await image.decode()
}

function readPhoto(file: File) {
  return new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })
}
