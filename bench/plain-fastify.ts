import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

/** Bare routes that send the same bytes as the product's lists. */
const answers = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, string>
const app = Fastify()
for (const [path, body] of Object.entries(answers)) {
  app.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
}
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.((app.server.address() as AddressInfo).port)
