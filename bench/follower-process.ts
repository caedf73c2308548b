import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { addressOf } from '../chaos/clients.ts'

/** What the bench asks of a process of followers; each question is answered by one message. */
export type Asked = { follow: number } | { changedAt: number } | 'state' | 'delays'
export type State = {
  open: number
  /** Followers that were notified of a change, and that have loaded it, since `changedAt`. */
  notified: number
  loaded: number
}

const [port = 0, first = 0] = process.argv.slice(2).map(Number)
const atOnce = 200
/** As many connections as a proxy opens. */
const agent = new Agent({ keepAlive: true, maxSockets: 50 })
const streams = new Set<Socket>()
let changedAt = 0
let notified: number[] = []
let loaded: number[] = []

/** Opens a stream as a browser does, and again after it broke; resolves once the first is there. */
function follow(number: number) {
  return new Promise<void>((resolve, reject) => {
    let retryMs = 0
    let last = `${Date.now()}`
    const open = () => {
      const socket = connect(port, '127.0.0.1')
      const head = `Host: 127.0.0.1\r\nX-Forwarded-For: ${addressOf(number)}\r\nLast-Event-ID: ${last}\r\n`
      socket.write(`GET /api/live HTTP/1.1\r\n${head}\r\n`)
      let rest = ''
      socket.on('data', (data) => {
        // A packet holds a part of an event, or several.
        const events = (rest + data.toString()).split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) receive(event)
      })
      const receive = (event: string) => {
        retryMs = Number(/retry: (\d+)/.exec(event)?.[1] ?? retryMs)
        // Only at the start of a line: the headers contain `x-request-id`.
        last = /^id: (\d+)/m.exec(event)?.[1] ?? last
        if (event.includes('event: hello')) {
          streams.add(socket)
          resolve()
        }
        if (!event.includes('event: changed')) return
        notified.push(Date.now() - changedAt)
        if (event.includes('"notes"')) load(number)
      }
      socket.on('error', (error) => (retryMs > 0 ? undefined : reject(error)))
      socket.on('close', () => {
        streams.delete(socket)
        // As long as the server said; refused at once, a browser waits again.
        setTimeout(open, retryMs)
      })
    }
    open()
  })
}

/** Loads the notices, as an open status page does. */
function load(number: number) {
  const options = { agent, port, path: '/api/notes/notes', headers: { 'x-forwarded-for': addressOf(number) } }
  get(options, (response) => {
    response.resume()
    response.on('end', () => response.statusCode === 200 && loaded.push(Date.now() - changedAt))
  }).on('error', (error) => process.stderr.write(`a follower could not load the notices: ${error.message}\n`))
}

async function answer(asked: Asked) {
  if (asked === 'delays') return loaded
  if (typeof asked === 'object' && 'follow' in asked)
    for (let number = first; number < first + asked.follow; number += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, first + asked.follow - number) }, (_, at) => follow(number + at)))
  if (typeof asked === 'object' && 'changedAt' in asked) {
    changedAt = asked.changedAt
    notified = []
    loaded = []
  }
  return { open: streams.size, notified: notified.length, loaded: loaded.length } satisfies State
}

process.on('message', (asked: Asked) => void answer(asked).then((content) => process.send?.(content)))
process.on('disconnect', () => process.exit(0))
