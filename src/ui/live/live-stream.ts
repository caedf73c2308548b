import type { Area } from '#src/lib/rights.ts'
import type { Availability } from '#src/server/live/events.ts'

const name = 'guichet-live'
const returnMs = { least: 2_000, spread: 3_000 }
/** After this many refusals in a row no restart is the reason: the address has too many streams. */
const quickReturns = 4
const refusedReturnMs = 30_000
/** A clock that jumps by more has slept; a hidden tab's ticks come once a minute. */
const sleepMs = 150_000

type Listeners = {
  /** `null` where any area may have changed. */
  onChanged: (area: Area | null) => void
  onBuild: (build: string) => void
  onAvailability: (availability: Availability) => void
}
type Change = { id: number; area: Area | null }
/** What tabs say to each other; `after` asks the one that holds the stream what changed since. */
type Message = Change | { build: string } | { availability: Availability } | { after: number }

/**
 * Follows what changes on the server, behind a tab too. A browser allows six connections to a site in all: of the tabs
 * of one visitor, one holds the stream and tells the others. Answers how to stop.
 */
export function followLive(since: number, { onChanged, onBuild, onAvailability }: Listeners) {
  const stopping = new AbortController()
  const { signal } = stopping
  const channel = new BroadcastChannel(name)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
  const send = (message: Message) => channel.postMessage(message)
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
  channel.addEventListener('message', ({ data: message }: MessageEvent<Message>) => {
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
      const close = holdStream(
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
  // Without https there are no locks, and a browser that blocks site data refuses them: each tab has its own stream.
  if (!('locks' in navigator)) void lead()
  else navigator.locks.request(name, { signal }, lead).catch(lead)

  return () => {
    stopping.abort()
    channel.close()
  }
}

/** Opens again what the browser gives up, such as a proxy's 502 while the server restarts. */
function holdStream(lastSeen: () => number, onMessage: (message: Message) => void) {
  let timer: ReturnType<typeof setTimeout>
  let refusals = 0
  let source = open()

  function open() {
    const opened = new EventSource(`/api/live?after=${lastSeen()}`)
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
      // Not all visitors at once.
      const quick = returnMs.least + Math.random() * returnMs.spread
      timer = setTimeout(() => (source = open()), refusals > quickReturns ? refusedReturnMs : quick)
    })
    opened.addEventListener('open', () => (refusals = 0))
    return opened
  }
  // A connection that died while the computer slept stays open for this end for ever.
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
