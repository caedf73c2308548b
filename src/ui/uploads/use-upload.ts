import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Upload, UploadProgress } from './upload.ts'
import { isStopped, stopReason } from './upload.ts'

let runningCount = 0
const listeners = new Set<() => void>()

/** Whether the open page sends files: leaving it would stop them. */
export const isUploading = () => runningCount > 0

/** The same, followed. */
export const useUploading = () => useSyncExternalStore(followUploads, isUploading, () => false)

function followUploads(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function countRunning(change: 1 | -1) {
  runningCount += change
  for (const listener of listeners) listener()
}

/** Runs uploads one at a time, with what a bar shows of them. Leaving the page stops them. */
export function useUpload() {
  const [progress, setProgress] = useState<UploadProgress | null>(null)
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
      countRunning(1)
      setProgress({ state: 'sending', sent: 0, total: upload.total, secondsLeft: null })
      try {
        return await upload.run({ signal: controller.signal, onProgress: setProgress })
      } finally {
        running.current = null
        countRunning(-1)
        setProgress(null)
      }
    },
    stop: () => running.current?.abort(stopReason()),
  }
}

/** One file at a time: stopped or failed, it goes on where it was until another one is chosen. */
export function useFileUpload<T>() {
  const { progress, run, stop } = useUpload()
  const begun = useRef<Upload<T> | null>(null)
  const [stopped, setStopped] = useState<Upload<T> | null>(null)
  const forget = () => {
    begun.current?.discard()
    begun.current = null
    setStopped(null)
  }
  return {
    progress,
    stop,
    /** The one that was stopped. */
    stopped,
    forget,
    /** Null where it was stopped; throws `ApiError`. */
    async send(create: () => Upload<T>): Promise<T | null> {
      const upload = (begun.current ??= create())
      setStopped(null)
      try {
        const result = await run(upload)
        begun.current = null
        return result
      } catch (error) {
        if (!isStopped(error)) throw error
        setStopped(upload)
        return null
      }
    },
  }
}
