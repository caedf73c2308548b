import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BlobReader, ZipReader } from '@zip.js/zip.js'
import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { putSampleContent } from '#src/app/sample-content.ts'
import { environmentOf, runGuichet } from '#src/app/testing/run-guichet.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { users } from '#src/features/people/server/table.ts'
import { mails } from '#src/server/background/mail-table.ts'

type Files = Map<string, Buffer>

export const guichet = (product: TestApp, words: string[]) => runGuichet(words, { environment: environmentOf(product) })

async function readZip(file: string): Promise<Files> {
  const reader = new ZipReader(new BlobReader(new Blob([readFileSync(file)])), { useWebWorkers: false })
  const files: Files = new Map()
  for (const entry of await reader.getEntries())
    if (!entry.directory) files.set(entry.filename, Buffer.from(await entry.arrayBuffer()))
  await reader.close()
  return files
}

export async function exportOf(product: TestApp, name: string) {
  const file = join(product.dataDir, name)
  expect(await guichet(product, ['export', file])).toMatchObject({ code: 0 })
  return { file, files: await readZip(file) }
}

/** In an entry of the journal of a used product. */
export const formerTitle = 'Technicienne'

/** A day of a company: sample content, people, a conversation, requests with files, a call, mails. */
export async function startUsedProduct() {
  const product = await startTestApp()
  const { db } = product
  await putSampleContent(db)
  const staff = await product.signIn()
  await staff.post('/api/jobs/emplois', { titre: formerTitle, description: '<p>Venez à Québec.</p>' })
  await db.execute(sql`insert into pictures (key, width, format, bytes) values ('abc', 320, 'avif', ${Buffer.from('image')})`)
  await db.execute(sql`insert into requests (id, kind, reference, name, email, message, language, merged_into_id)
    select n, 'support', 'AS-' || n, 'Zoé', 'zoe@example.com', 'Été', 'fr', case when n = 1 then 700 end from generate_series(1, 700) n`)
  await db.execute(sql`insert into request_entries (id, request_id, kind, channel, author, text, html)
    values (1, 2, 'customer', 'form', 'Zoé', 'Bonjour', '<p>Bonjour</p>')`)
  await db.execute(sql`insert into request_files (id, entry_id, name, type, size) values (4, 1, 'a.txt', 'text/plain', 700000)`)
  const piece = Buffer.alloc(512 * 1_024, 'é')
  await db.execute(
    sql`insert into request_file_pieces (file_id, position, bytes) values (4, 0, ${piece}), (4, 1, ${Buffer.from('fin')})`,
  )
  await db.execute(
    sql`insert into chats (id, key, client_name, client_email, status) values (7, 'secret-key', 'Zoé', 'zoe@example.com', 'closed')`,
  )
  await db.execute(
    sql`insert into chat_messages (chat_id, seq, message, from_staff, user_name) values (7, 1, 'Été à Québec', false, 'Zoé')`,
  )
  await db.execute(sql`update users set locked = true, totp_enabled = true, totp_secret = 'x' where id <> ${staff.user.id}`)
  await product.createUser()
  await db.update(users).set({ totpEnabled: true, totpSecret: 'x' }).where(eq(users.username, staff.user.username))
  await db
    .insert(mails)
    .values({ messageId: 'w@example.com', recipient: 'zoe@example.com', subject: 'x', body: 'x', dueAt: new Date(0) })
  const key = '2026/11/11111111-2222-3333-4444-555555555555.wav'
  const path = join(product.dataDir, 'recordings', key)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'RIFF')
  await db.execute(sql`insert into recordings (started_at, direction, caller, callee, agent, duration_ms, file_name, sha256, storage_key, type, bytes, searched, grams)
    values (now(), 'in', '', '', '', 3000, 'x.wav', ${'a'.repeat(64)}, ${key}, 'wav', 4, '', '{}')`)
  mkdirSync(join(product.dataDir, 'company', 'texts'), { recursive: true })
  writeFileSync(join(product.dataDir, 'company', 'texts', 'a.txt'), 'Bonjour')
  return { product, staff }
}

const isChanging = (name: string) => /^(?:(?:former_)?journal|README|SHA256SUMS)/.test(name)
/** What another export of the same content has too. */
export const stable = (files: Files) =>
  Object.fromEntries([...files].filter(([name]) => !isChanging(name)).map(([name, bytes]) => [name, bytes.toString('base64')]))
