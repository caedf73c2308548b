import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express from 'express'

const page = readFileSync(process.argv[2] ?? '', 'utf8')
const app = express()
app.get('/', (_request, response) => response.type('html').send(page))
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
