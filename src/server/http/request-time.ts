import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { logger } from '../log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { Problem } from '../problems.ts'

/** Bytes a second below which a file is not being sent, but its connection held open: a poor rural line sends as much. */
const slowestUpload = 8 * 1024
const longestCheckMs = 5_000

/** Requests whose route takes files, from somebody who may send them. */
const uploads = new WeakSet<IncomingMessage>()

/** Lets the body of this request take longer than others, as long as it comes at the least rate of an upload. */
export const allowUpload = (request: IncomingMessage) => void uploads.add(request)

/** Node looks for headers that do not come this often; given as the server is made. */
export const checkInterval = (seconds: number) => Math.min(longestCheckMs, seconds * 250)

/** Ends the connections whose headers, or whose body after them, are not there in time. */
export function limitRequestTime(server: Server, seconds: number, metrics: Pick<Metrics, 'refused'>) {
  const limitMs = seconds * 1_000
  server.headersTimeout = limitMs
  server.on('clientError', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') metrics.refused('slow_request')
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    const { socket } = request
    let before = socket.bytesRead
    const timer = setInterval(() => {
      if (request.complete || request.destroyed) return clearInterval(timer)
      const received = socket.bytesRead - before
      before = socket.bytesRead
      if (uploads.has(request) && received >= slowestUpload * seconds) return
      clearInterval(timer)
      metrics.refused('slow_request')
      logger.info(
        { method: request.method, path: request.url?.split('?', 1)[0], received },
        'ended a request whose body did not come',
      )
      if (!response.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      request.destroy(new Problem(408, 'Request timeout', 'The request took too long to arrive.'))
      // Where the answer left already, nothing reads the request any more.
      socket.destroy()
    }, limitMs)
    timer.unref()
    request.once('close', () => clearInterval(timer))
  })
}

function hasBody({ headers }: IncomingMessage) {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}
