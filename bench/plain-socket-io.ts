import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'

const http = createServer()
const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, serveClient: false })
io.on('connection', (socket) => {
  socket.on('chat:send-message', (message: unknown, acknowledge: (answer: unknown) => void) => acknowledge({ ok: true, message }))
})
http.listen(0, '127.0.0.1', () => process.send?.((http.address() as AddressInfo).port))
