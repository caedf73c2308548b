import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Toast } from '#src/ui/components/toast.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminTexts } from './admin-texts.ts'

/** Share of the longest text from which the length is shown. */
const nearLimit = 0.9

type Limited = { field: Element; count: number; max: number; isCut: boolean; announced: Announced | null }
type Announced = { key: 'nearLimit' | 'textCut'; count: number }

const limitedOf = (target: EventTarget | null) =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.maxLength > 0 ? target : null

/** Under every field of the administration: its length near the limit, and that a pasted text was cut, which browsers hide. */
export function LengthNotice() {
  const t = useTexts(adminTexts)
  const [limited, setLimited] = useState<Limited | null>(null)
  useEffect(() => {
    let cut: EventTarget | null = null
    const handlePaste = (event: ClipboardEvent) => {
      const field = limitedOf(event.target)
      const pasted = event.clipboardData?.getData('text/plain').length ?? 0
      const replaced = (field?.selectionEnd ?? 0) - (field?.selectionStart ?? 0)
      cut = field && field.value.length - replaced + pasted > field.maxLength ? field : null
    }
    const handleInput = ({ target }: Event) => {
      const field = limitedOf(target)
      const around = field?.closest('.field') ?? field?.parentElement
      const isCut = field === cut
      cut = null
      if (!field || !around || field.value.length < field.maxLength * nearLimit) return setLimited(null)
      const { value, maxLength: max } = field
      setLimited((before) => {
        const known = before?.announced?.key === 'nearLimit' ? before.announced : null
        const isSame = before?.field === around && !isCut
        const announced: Announced | null = isSame ? known : { key: isCut ? 'textCut' : 'nearLimit', count: value.length }
        return { field: around, count: value.length, max, isCut, announced }
      })
    }
    document.addEventListener('paste', handlePaste)
    document.addEventListener('input', handleInput)
    return () => {
      document.removeEventListener('paste', handlePaste)
      document.removeEventListener('input', handleInput)
    }
  }, [])
  if (!limited?.field.isConnected) return null
  const { field, count, max, isCut, announced } = limited
  const textOf = (one: Announced) => t(one.key, { count: one.count, max })
  return createPortal(
    <>
      {/* Announced once, not at each letter. */}
      <p role="status" className="sr-only">
        <span>{announced && textOf(announced)}</span>
      </p>
      <p className="field-hint">
        <span>{textOf({ key: isCut ? 'textCut' : 'nearLimit', count })}</span>
      </p>
    </>,
    field,
  )
}

/** A file that is dropped where nothing takes it would replace the page, and what was typed in it. */
export function StrayFiles() {
  const t = useTexts(adminTexts)
  const [isRefused, setRefused] = useState(false)
  useEffect(() => {
    const handle = (event: DragEvent) => {
      const isTaken = event.defaultPrevented || (event.target instanceof HTMLInputElement && event.target.type === 'file')
      if (isTaken || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      if (event.type === 'drop') setRefused(true)
    }
    // After the fields that take files.
    window.addEventListener('dragover', handle)
    window.addEventListener('drop', handle)
    return () => {
      window.removeEventListener('dragover', handle)
      window.removeEventListener('drop', handle)
    }
  }, [])
  return (
    <Toast status={isRefused ? 'error' : null} onHide={() => setRefused(false)}>
      {t('strayFile')}
    </Toast>
  )
}
