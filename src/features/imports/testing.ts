import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { xsrfHeader } from '#src/server/http/xsrf.ts'
import type { ImportDetail, ImportResult } from './contract.ts'

export type TestClient = Awaited<ReturnType<TestApp['signIn']>>

/** Sends a file as the page does, or no file where a folder is chosen. */
export async function sendImport(
  { origin }: TestApp,
  client: TestClient,
  fields: Record<string, string>,
  content: string | Uint8Array | null,
  name = 'file.csv',
) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  if (content !== null) form.set('file', new Blob([content as BlobPart]), name)
  const response = await fetch(`${origin}/api/imports/imports`, {
    method: 'POST',
    headers: { origin, cookie: client.cookieHeader(), [xsrfHeader]: client.cookies.get('XSRF-TOKEN') ?? '' },
    body: form,
  })
  const body = (await response.json()) as ImportDetail & { detail?: string; reason?: { fr: string } }
  return { status: response.status, body }
}

export async function finishImport(client: TestClient, id: number): Promise<ImportResult> {
  for (;;) {
    const { body } = await client.get<ImportResult>(`/api/imports/imports/${id}`)
    if (body.state !== 'running') return body
    await pause(20)
  }
}

export async function runImport(client: TestClient, id: number) {
  const started = await client.post(`/api/imports/imports/${id}/run`)
  expect(started.status).toBe(202)
  return finishImport(client, id)
}

/** Parts of a WordPress export. */
export const item = (id: number, title: string, html: string, more = '') =>
  `<item><title>${title}</title><link>https://ancien.example/${id}/</link><content:encoded><![CDATA[${html}]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>${more}</item>`
const term = (domain: string, nicename: string) => `<category domain="${domain}" nicename="${nicename}"><![CDATA[x]]></category>`
export const polylang = (language: string, group: string) => term('language', language) + term('post_translations', group)
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`
export const wpml = (language: string, group: string) =>
  meta('_wpml_import_language_code', language) + meta('_wpml_import_translation_group', group)
export const site = (items: string, before = '', head = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>${before}<rss version="2.0" xmlns:content="c" xmlns:wp="w"><channel><language>fr-CA</language><wp:wxr_version>1.2</wp:wxr_version>${head}${items}</channel></rss>`
