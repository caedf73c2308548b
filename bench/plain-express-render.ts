import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import express from 'express'

type Rendered = { text: () => Promise<string>; status: number; headers: Headers }
type Build = { entry: { module: { render: (build: Build, request: Request, context: object) => Promise<Rendered> } } }

/** The product's own pages, rendered by Express for each request; their data is ready in memory. */
const [file = ''] = process.argv.slice(2)
const data = JSON.parse(readFileSync(file, 'utf8')) as Record<'messages' | 'informations' | 'availability' | 'status', unknown>
const build = (await import(pathToFileURL(join(process.cwd(), 'build/site/server/index.js')).href)) as Build
const services = {
  home: { findMessages: async () => data.messages, findInformations: async () => data.informations },
  chat: { findAvailability: async () => data.availability },
  networks: { findHeaderStatus: async () => data.status },
}

const app = express()
app.get('/', async (request: IncomingMessage, response: express.Response) => {
  const origin = `http://${request.headers.host}`
  const context = { services, origin, nonce: 'bench', address: '127.0.0.1', chatUrl: undefined, since: Date.now() }
  const page = await build.entry.module.render(build, new Request(origin), context)
  response.status(page.status).type('html')
  response.send(await page.text())
})
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
