import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { logger } from '../log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { Problem } from '../problems.ts'

/** Minimum upload rate in bytes a second, which a poor rural connection reaches: a slower upload only holds a connection. */
const slowestUpload = 8 * 1024
const longestCheckMs = 5_000

/** Upload requests of authorized users. */
const uploads = new WeakSet<IncomingMessage>()

/** Exempts this request from the body timeout, as long as it reaches the minimum upload rate. */
export const allowUpload = (request: IncomingMessage) => void uploads.add(request)

/** How often Node checks for late headers; an option of the server. */
export const checkInterval = (seconds: number) => Math.min(longestCheckMs, seconds * 250)

/** Closes connections whose headers or body are late. */
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
        { method: request.method, path: request.url?.split('?', 1)[0]?.replaceAll(/[\w-]{20,}/g, '…'), received },
        'ended a request whose body did not come',
      )
      if (!response.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      request.destroy(new Problem(408, 'Request timeout', 'The request took too long to arrive.'))
      // The response was already sent, and nothing reads the request.
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
