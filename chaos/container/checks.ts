import { createTestClient } from '../../src/app/testing/test-client.ts'
import type { Report } from './report.ts'

/** Sends the form of the contact page; returns its reference, and throws where it is refused. */
export async function sendForm(origin: string) {
  const client = await createTestClient(origin).arrive()
  const body = { honey: '', name: 'Ana', email: 'ana@example.com', phone: '418-555-0101', message: 'Bonjour' }
  const { status, body: stored, text } = await client.post<{ reference?: string }>('/api/mailer/contact', body)
  if (status !== 200 || !stored.reference) throw new Error(`the form was answered with ${status}: ${text}`)
  return stored.reference
}

/** What the kernel says of a process (`/proc/PID/status`): no capability, and none to be had. */
export function checkRights(status: string, report: Report, more: Record<string, string> = {}) {
  const none = '0000000000000000'
  for (const [name, wanted] of Object.entries({ CapEff: none, CapBnd: none, NoNewPrivs: '1', ...more })) {
    const value = new RegExp(`^${name}:\\s+(\\w+)$`, 'm').exec(status)?.[1] ?? 'missing'
    report(name, value, value === wanted)
  }
}
