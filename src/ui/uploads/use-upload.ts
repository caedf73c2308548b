import { useEffect, useRef, useState } from 'react'
import type { Upload, UploadProgress } from './upload.ts'
import { createRate } from './rate.ts'

export type ShownProgress = UploadProgress & { secondsLeft: number | null }

/** Runs uploads one at a time, with what a bar shows of them. Leaving the page stops them. */
export function useUpload() {
  const [progress, setProgress] = useState<ShownProgress | null>(null)
  const running = useRef<AbortController | null>(null)
  const isRunning = progress !== null
  useEffect(() => () => running.current?.abort(new DOMException('left', 'AbortError')), [])
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isRunning])

  return {
    progress,
    /** Throws `ApiError` where the server refused the file, and an `AbortError` where it was stopped. */
    async run<T>(upload: Upload<T>): Promise<T> {
      const controller = new AbortController()
      running.current = controller
      const rate = createRate()
      setProgress({ state: 'sending', sent: 0, total: upload.file.size, secondsLeft: null })
      try {
        return await upload.run({
          signal: controller.signal,
          onProgress: (now) => setProgress({ ...now, secondsLeft: rate.secondsLeft(now) }),
        })
      } finally {
        running.current = null
        setProgress(null)
      }
    },
    stop: () => running.current?.abort(new DOMException('stopped', 'AbortError')),
  }
}

export const isStopped = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'
