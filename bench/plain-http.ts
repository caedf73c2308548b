import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const page = readFileSync(process.argv[2] ?? '')
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length })
  response.end(page)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
