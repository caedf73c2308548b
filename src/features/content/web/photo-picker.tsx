import type { DragEvent } from 'react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Photo } from '#src/ui/components/photo.tsx'
import { photoTexts } from '../texts.ts'
import { photoFileMaxBytes, photoTypes } from '../values.ts'

const PhotoCrop = lazy(() => import('./photo-crop.tsx'))

type Choice = { photo?: string | null; new_photo?: string; new_photo_path?: string }
type PhotoPickerProps = {
  name: string
  photo: string | null
  newPhoto: string | undefined
  newPhotoPath: string | undefined
  onChange: (choice: Choice) => void
}

type Problem = 'wrongType' | 'heic' | 'tooLarge' | 'unreadable'
type Source = { bitmap: ImageBitmap; name: string }

/** Circular preview and file picker; a photo can be dropped on it and pasted too, and is then placed in its square. */
export function PhotoPicker({ name, photo, newPhoto, newPhotoPath, onChange }: PhotoPickerProps) {
  const t = useTexts(photoTexts)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isOver, setOver] = useState(false)
  const [source, setSource] = useState<Source | null>(null)
  const [isPlacing, setPlacing] = useState(false)
  const shown = newPhoto ?? photo

  const handleFile = async (file: File | undefined) => {
    if (!file) return
    const found = problemOf(file)
    setProblem(found)
    if (found) return
    try {
      // The decoder turns the photo as the camera was held.
      setSource({ bitmap: await createImageBitmap(file, { imageOrientation: 'from-image' }), name: file.name })
      setPlacing(true)
    } catch (error) {
      console.warn(error)
      setProblem(isHeic(file) ? 'heic' : 'unreadable')
    }
  }
  const paste = useRef(handleFile)
  useEffect(() => {
    paste.current = handleFile
  })
  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      // A copied text of Word comes with a picture of itself.
      if (!file || event.defaultPrevented || event.clipboardData?.getData('text/plain')) return
      event.preventDefault()
      void paste.current(file)
    }
    document.addEventListener('paste', handlePaste)
    return () => document.removeEventListener('paste', handlePaste)
  }, [])
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
        accept={[...photoTypes, 'webp'].map((type) => `.${type}`).join(',')}
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
      {newPhoto && source && (
        <Button variant="link" size="small" onClick={() => setPlacing(true)}>
          {t('placePhoto')}
        </Button>
      )}
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
      {isPlacing && source && (
        <Suspense fallback={null}>
          <div className="text-start">
            <PhotoCrop
              photo={source.bitmap}
              onClose={() => setPlacing(false)}
              onUse={(content) => {
                setPlacing(false)
                onChange({ new_photo: content, new_photo_path: source.name })
              }}
            />
          </div>
        </Suspense>
      )}
    </div>
  )
}

type ShownPhotoProps = { photo: string | null; name: string; alt?: string; className?: string }

/** A stored photo, or a newly chosen one. */
export function ShownPhoto({ photo, name, alt = '', className = '' }: ShownPhotoProps) {
  if (!photo?.startsWith('data:')) return <Photo photo={photo} name={name} alt={alt} sizes="320px" className={className} />
  return <img src={photo} alt={alt} className={`photo photo-chosen ${className}`} />
}

/** Pictures that browsers read, and those of an iPhone, which only Safari reads; a pasted picture may have no name. */
const readable = /\.(?:jpe?g|png|avif|webp|gif|bmp|hei[cf])$/i

const isHeic = ({ name, type }: File) => /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type)

/** Checks the name and the size only; the decoder, then the server, check the content. */
function problemOf(file: File): Problem | null {
  if (!readable.test(file.name)) return 'wrongType'
  return file.size > photoFileMaxBytes ? 'tooLarge' : null
}
