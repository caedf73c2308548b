import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from './product.ts'

/** Starts a product for the first time, once for all journeys, which copy its data: a first start takes four times a later one. */
export default async function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-first-start-'))
  const product = await startProduct({}, folder)
  await product.end('SIGTERM')
  await product.smtp.stop()
  process.env.FIRST_START = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
