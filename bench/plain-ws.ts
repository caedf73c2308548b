import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
server.on('listening', () => process.send?.((server.address() as AddressInfo).port))
server.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
