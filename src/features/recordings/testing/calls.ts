import { desc, eq } from 'drizzle-orm'
import type { TestClient } from '#src/app/testing/test-client.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import type { Recording } from '../contract.ts'
import { makeTone } from '../server/sound.ts'

export const path = '/api/recordings/recordings'

type Part = { name: string; content: Uint8Array<ArrayBuffer> | string }

/** Uploads files as a browser does; returns the status and the body. */
export async function upload(client: TestClient, ...parts: Part[]) {
  const form = new FormData()
  for (const { name, content } of parts) form.append('file', new Blob([content]), name)
  const response = await fetch(client.origin + path, {
    method: 'POST',
    headers: {
      origin: client.origin,
      cookie: client.cookieHeader(),
      'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '',
    },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as Recording }
}

let counter = 0

/** A unique call: its own number and its own audio. */
export function someCall({ seconds = 1, day = '20261120' } = {}) {
  counter += 1
  const caller = `418555${String(counter).padStart(4, '0')}`
  return {
    caller,
    name: `external-101-${caller}-${day}-143000-1700000000.${counter}.wav`,
    content: makeTone({ seconds, hertz: 300 + counter }),
  }
}

/** The audit log entries of a recording, newest first. */
export async function entriesOf({ db }: TestApp, action: string, id: number) {
  const entries = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.entryId, String(id)))
    .orderBy(desc(auditLog.id))
  return entries.filter((entry) => entry.area === 'recordings' && entry.action === action)
}
