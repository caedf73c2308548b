import type { LiveArea } from '#src/server/events.ts'

const name = 'guichet-live'
const returnMs = { least: 2_000, spread: 3_000 }

type Listeners = {
  /** `null` where any area may have changed. */
  onChanged: (area: LiveArea | null) => void
  onBuild: (build: string) => void
}
type Change = { id: number; area: LiveArea | null }
/** What tabs say to each other; `after` asks the one that holds the stream what changed since. */
type Word = Change | { build: string } | { after: number }

/**
 * Follows what changes on the server, behind a tab too. A browser allows six connections to a site in all: of the tabs
 * of one visitor, one holds the stream and tells the others. Answers how to stop.
 */
export function followLive(since: number, { onChanged, onBuild }: Listeners) {
  const stopping = new AbortController()
  const { signal } = stopping
  const channel = new BroadcastChannel(name)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
  const tell = (word: Word) => channel.postMessage(word)
  let seen = since
  let isLeading = false
  let lastBuild: string | undefined

  const hear = (word: Word) => {
    if ('build' in word) onBuild((lastBuild = word.build))
    else if ('area' in word && word.id >= seen) {
      seen = word.id
      onChanged(word.area)
    }
  }
  channel.addEventListener('message', ({ data: word }: MessageEvent<Word>) => {
    if (!('after' in word)) return hear(word)
    if (isLeading && lastBuild) tell({ build: lastBuild })
    if (isLeading && seen > word.after) tell({ id: seen, area: null })
  })
  tell({ after: since })

  const lead = () =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      isLeading = true
      const close = holdStream(
        () => seen,
        (word) => {
          tell(word)
          hear(word)
        },
      )
      signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  // Without https there are no locks: each tab has its own stream.
  if (!('locks' in navigator)) void lead()
  else
    navigator.locks.request(name, { signal }, lead).catch((error: unknown) => {
      if (!signal.aborted) console.error(error)
    })

  return () => {
    stopping.abort()
    channel.close()
  }
}

/** Opens again what the browser gives up, such as a proxy's 502 while the server restarts. */
function holdStream(lastSeen: () => number, onWord: (word: Word) => void) {
  let timer: ReturnType<typeof setTimeout>
  let source = open()

  function open() {
    const opened = new EventSource(`/api/live?after=${lastSeen()}`)
    opened.addEventListener('changed', ({ data, lastEventId }: MessageEvent<string>) =>
      onWord({ id: Number(lastEventId), area: (JSON.parse(data) as { area: LiveArea }).area }),
    )
    opened.addEventListener('hello', ({ data }: MessageEvent<string>) => onWord(JSON.parse(data) as { build: string }))
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      // Not all visitors at once.
      timer = setTimeout(() => (source = open()), returnMs.least + Math.random() * returnMs.spread)
    })
    return opened
  }
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
