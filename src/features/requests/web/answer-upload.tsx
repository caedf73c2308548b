import { useEffect, useRef, useState } from 'react'
import { createUpload } from '#src/ui/uploads/upload.ts'
import { StoppedUpload, UploadBar } from '#src/ui/uploads/upload-bar.tsx'
import { useFileUpload } from '#src/ui/uploads/use-upload.ts'
import { filesOf } from './answer-files.ts'

/** Sends an answer with its files, says how far it is, and opens the page where its post led. */
export default function AnswerUpload({ form }: { form: HTMLFormElement }) {
  const { progress, stop, stopped, send } = useFileUpload<string>()
  const [address, setAddress] = useState<string | null>(null)
  const [files] = useState(() => filesOf(form))
  const start = async () => {
    try {
      const target = { path: location.pathname, purpose: null, isPage: true, isRepeatable: true }
      setAddress(await send(() => createUpload<string>(files, { ...target, body: () => new FormData(form) })))
    } catch (error) {
      console.warn(error)
      // The browser's own way shows what the server answers; its id makes both one answer.
      form.submit()
    }
  }
  const first = useRef(start)
  useEffect(() => void first.current(), [])
  // Once the page no longer asks whether to leave it.
  useEffect(() => {
    if (address !== null) openAnswered(address, form)
  }, [address, form])
  return (
    <>
      {progress && <UploadBar name={files.map(({ name }) => name).join(', ')} progress={progress} onStop={stop} />}
      {stopped && <StoppedUpload upload={stopped} onResume={() => void start()} />}
    </>
  )
}

/** An address that differs by its `#` alone would not be read again. */
function openAnswered(address: string, form: HTMLFormElement) {
  const { pathname, search } = new URL(address)
  form.reset()
  if (pathname + search !== location.pathname + location.search) return location.assign(`${pathname}${search}#reponse`)
  location.hash = 'reponse'
  location.reload()
}
