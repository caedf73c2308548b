import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { io } from 'socket.io-client'
import { administrator, startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { startTestPushService } from '../src/server/testing/test-push-service.ts'
import type { StaffConnection } from './clients.ts'
import { becomeAvailable, connected, openVisitor, pause, startConversation, trusting } from './clients.ts'
import type { Row } from './row.ts'

const rounds = 10
const longestMs = 5_000

export const push: Row = {
  name: 'push',
  fault: 'the only technician closes the page while a visitor waits',
  async run() {
    const service = await startTestPushService()
    const folder = mkdtempSync(join(tmpdir(), 'guichet-push-'))
    const authority = join(folder, 'ca.pem')
    writeFileSync(authority, service.ca)
    const product = await startProduct({ ...trusting, PUSH_ALLOW: '127.0.0.1', NODE_EXTRA_CA_CERTS: authority })
    const origin = product.address()
    const client = await createTestClient(origin).arrive()
    await client.post('/api/auth/login', administrator)
    const device = service.addDevice()
    await client.post('/api/chat/push', device.subscription)

    const delays: number[] = []
    let isTextFree = true
    for (let round = 0; round < rounds; round += 1) {
      const headers = { cookie: client.cookieHeader() }
      const technician: StaffConnection = io(`${origin}/staff`, {
        transports: ['websocket'],
        forceNew: true,
        extraHeaders: headers,
      })
      await connected(technician)
      await becomeAvailable(technician)
      const visitor = openVisitor(origin, round)
      const idChat = await startConversation(visitor, `Secret ${round}`)
      const closedAt = Date.now()
      technician.disconnect()
      while (device.received.length <= round && Date.now() - closedAt < 3 * longestMs) await pause(20)
      const call = device.received[round]
      delays.push(call ? call.at - closedAt : Number.POSITIVE_INFINITY)
      isTextFree &&= !JSON.stringify(call?.payload).includes('Secret')
      await visitor.emitWithAck('chat:close', { id_chat: idChat })
      visitor.disconnect()
    }
    await product.stop()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
    const longest = Math.max(...delays)
    return {
      good: longest <= longestMs && device.received.length === rounds && isTextFree,
      figures: {
        rounds,
        calls: device.received.length,
        'longest from the page closed to the call (ms)': longest,
        'words of a visitor in a call': isTextFree ? 0 : 'some',
      },
    }
  },
}
