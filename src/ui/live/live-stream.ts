import type { Area } from '#src/lib/rights.ts'
import type { Availability } from '#src/lib/availability.ts'

const name = 'guichet-live'
const returnMs = { least: 2_000, spread: 3_000 }
/** After this many consecutive failures the cause is no restart: the address has too many streams. */
const quickReturns = 4
const refusedReturnMs = 30_000
/** If the clock jumps by more, the computer slept; timers of a hidden tab run once a minute. */
const sleepMs = 150_000

type Listeners = {
  /** `null` means any area may have changed. */
  onChanged: (area: Area | null) => void
  onBuild: (build: string) => void
  onAvailability: (availability: Availability) => void
}
type Change = { id: number; area: Area | null }
/** Messages between tabs; `after` asks the tab with the stream for changes since that id. */
type Message = Change | { build: string } | { availability: Availability } | { after: number }

/**
 * Subscribes to live changes, in background tabs too. Browsers allow six HTTP/1.1 connections per site, so the tabs of a
 * visitor share one stream: one holds it (Web Locks) and forwards events on a BroadcastChannel. Returns the function that
 * unsubscribes.
 */
export function followLive(since: number, { onChanged, onBuild, onAvailability }: Listeners) {
  const stopping = new AbortController()
  const { signal } = stopping
  const channel = openChannel()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
  const send = (message: Message) => channel?.postMessage(message)
  let lastId = since
  let isLeading = false
  let lastBuild: string | undefined
  let availability: Availability | undefined

  const receive = (message: Message) => {
    if ('build' in message) onBuild((lastBuild = message.build))
    else if ('availability' in message) onAvailability((availability = message.availability))
    else if ('area' in message && message.id >= lastId) {
      lastId = message.id
      onChanged(message.area)
    }
  }
  channel?.addEventListener('message', ({ data: message }: MessageEvent<Message>) => {
    if (!('after' in message)) return receive(message)
    if (isLeading && lastBuild) send({ build: lastBuild })
    if (isLeading && availability) send({ availability })
    if (isLeading && lastId > message.after) send({ id: lastId, area: null })
  })
  send({ after: since })

  const lead = () =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      isLeading = true
      const close = ownStream(
        () => lastId,
        (message) => {
          send(message)
          receive(message)
        },
      )
      signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  // Web Locks need https and site data; without them each tab has its own stream.
  if (!channel || !('locks' in navigator)) void lead()
  else navigator.locks.request(name, { signal }, lead).catch(lead)

  return () => {
    stopping.abort()
    channel?.close()
  }
}

/** Null where the browser refuses channels together with storage: the tab then has its own stream. */
function openChannel() {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}

/** Reopens the stream where `EventSource` gives up, such as after a proxy's 502 during a restart. */
function ownStream(lastEventAt: () => number, onMessage: (message: Message) => void) {
  let timer: ReturnType<typeof setTimeout>
  let refusals = 0
  let source = open()

  function open() {
    // As apiAddress() has it: this file is loaded before all others, and imports none.
    const host = document.querySelector<HTMLMetaElement>('meta[name=api-host]')?.content ?? ''
    const opened = new EventSource(`${host}/api/live?after=${lastEventAt()}`, { withCredentials: true })
    opened.addEventListener('changed', ({ data, lastEventId }: MessageEvent<string>) =>
      onMessage({ id: Number(lastEventId), area: (JSON.parse(data) as { area: Area }).area }),
    )
    opened.addEventListener('hello', ({ data }: MessageEvent<string>) => onMessage(JSON.parse(data) as { build: string }))
    opened.addEventListener('availability', ({ data }: MessageEvent<string>) =>
      onMessage({ availability: JSON.parse(data) as Availability }),
    )
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      refusals += 1
      // Random, so that not all visitors reconnect at once.
      const quick = returnMs.least + Math.random() * returnMs.spread
      timer = setTimeout(() => (source = open()), refusals > quickReturns ? refusedReturnMs : quick)
    })
    opened.addEventListener('open', () => (refusals = 0))
    return opened
  }
  // After sleep, a dead connection still looks open on this side.
  let lastTick = Date.now()
  const ticks = setInterval(() => {
    const hasSlept = Date.now() - lastTick > sleepMs
    lastTick = Date.now()
    if (!hasSlept) return
    clearTimeout(timer)
    source.close()
    source = open()
  }, 20_000)
  return () => {
    clearInterval(ticks)
    clearTimeout(timer)
    source.close()
  }
}
