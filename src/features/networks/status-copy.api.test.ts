import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { networkIncidents, productBeats } from './server/table.ts'
import { recordProductOutage } from './server/product-outage.ts'
import { findCopyHealth } from './server/status-copy.ts'
import type { Network, StaffIncident } from './contract.ts'

const patient = { timeout: 60_000 }

async function declare(staff: Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['signIn']>>) {
  const details = JSON.stringify([{ nom: 'Fibre', nom_en: 'Fiber', statut: 'OK' }])
  const created = await staff.post<Network>('/api/networks/reseau', { nom: 'Réseau <Est>', status: 'ONLINE', details })
  await staff.post<StaffIncident>('/api/networks/incidents', {
    title: 'Fibre coupée',
    title_en: 'Fiber cut',
    severity: 'ERROR',
    elements: [{ id_reseau: created.body.id_reseau, nom: 'Fibre' }],
    text: 'Une équipe est en route.',
    text_en: 'A crew is coming.',
  })
}

test('each change writes a copy of the page in both languages and its data, which another server can read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-copy-'))
  const product = await startTestApp({ environment: { STATUS_COPY: folder, PUBLIC_URL: 'https://www.example.com' } })
  const read = (name: string) => {
    try {
      return readFileSync(join(folder, name), 'utf8')
    } catch {
      return ''
    }
  }
  try {
    await expect.poll(() => read('index.html'), patient).toContain('État du réseau')
    const staff = await product.signIn()
    await declare(staff)
    await expect.poll(() => read('status.json'), patient).toContain('Fibre coupée')
    expect(read('index.html')).toContain('Fibre (Réseau &lt;Est&gt;)')
    expect(read('index.html')).toContain('Une équipe est en route.')
    expect(read('en.html')).toContain('A crew is coming.')
    expect(read('en.html')).toContain('lang="en"')
    // Pages that the copy does not have are on the site.
    expect(read('index.html')).toContain('href="https://www.example.com/reseau/incident/')
    expect(read('index.html')).not.toContain('href="/')
    const data = JSON.parse(read('status.json')) as { incidents: object[]; networks: object[]; ribbons: object[] }
    expect(data).toMatchObject({ incidents: [{ title_en: 'Fiber cut' }], networks: [{ nom: 'Réseau <Est>' }] })
    expect(statSync(join(folder, 'index.html')).mode & 0o044).toBe(0o044)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(findCopyHealth(product.app)).toMatchObject({ status: 'OK' })
    const settings = '/api/company/settings'
    const { body } = await staff.get<object>(settings)
    expect((await staff.put(settings, { ...body, name: 'Fleuve TI' })).status).toBe(200)
    await expect.poll(() => read('index.html'), patient).toContain('Fleuve TI')
    await staff.delete(settings)
  } finally {
    await product.stop()
    // Readable after the product stopped.
    expect(read('index.html')).toContain('Une équipe est en route.')
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a place that cannot be written to is named on the health page, and nothing else stops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-copy-'))
  const place = join(folder, 'a-file')
  writeFileSync(place, '')
  const product = await startTestApp({ environment: { STATUS_COPY: place } })
  try {
    await expect.poll(() => findCopyHealth(product.app)?.status, patient).toBe('ERROR')
    expect((await (await product.client()).get('/api/networks/overview')).status).toBe(200)
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a bucket takes the same files, signed', async () => {
  const stored = new Map<string, { type: string | undefined; body: string; signature: string | undefined }>()
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { 'content-type': type, authorization: signature } = request.headers
      stored.set(request.url ?? '', { type, body: body.toString('utf8'), signature })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const product = await startTestApp({ environment: { STATUS_COPY: `http://KEY:SECRET@127.0.0.1:${port}/bucket/etat` } })
  try {
    await expect.poll(() => stored.get('/bucket/etat/status.json')?.type, patient).toBe('application/json')
    expect(stored.get('/bucket/etat/en.html')).toMatchObject({
      type: 'text/html; charset=utf-8',
      body: expect.stringContaining('Network status') as string,
      signature: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=KEY\//) as string,
    })
  } finally {
    await product.stop()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('the outage of the product itself is in the history when it comes back, unless it was announced or short', async () => {
  const product = await startTestApp({ environment: { PUBLIC_URL: 'https://www.example.com' } })
  try {
    const now = new Date()
    const ranUntil = (minutes: number) => product.db.update(productBeats).set({ at: new Date(now.getTime() - minutes * 60_000) })
    await expect.poll(async () => (await product.db.select().from(productBeats)).length, patient).toBe(1)
    await ranUntil(4)
    expect(await recordProductOutage(product.app, now)).toBe(false)
    await ranUntil(90)
    const both = await Promise.all([recordProductOutage(product.app, now), recordProductOutage(product.app, now)])
    expect(both.filter(Boolean)).toHaveLength(1)
    const visitor = await product.client()
    const [incident, ...rest] = (await visitor.get<StaffIncident[]>('/api/networks/incidents')).body
    expect(rest).toEqual([])
    expect(incident).toMatchObject({
      title_en: 'Guichet website and live chat unreachable',
      phase: 'resolved',
      started_at: new Date(now.getTime() - 90 * 60_000).toISOString(),
      resolved_at: now.toISOString(),
    })
    const page = await visitor.get<{ html: string }>(`/api/networks/incidents/${incident?.id_incident}/page?lang=fr`)
    expect(page.body.html).toMatch(/1\sh\s30/)
    const staff = await product.signIn()
    await product.db.delete(networkIncidents)
    const announced = await staff.put('/api/updates/alert', {
      next_update: new Date(Date.now() + 60_000).toISOString(),
      duration_minutes: 120,
      public: true,
    })
    expect(announced.status).toBe(200)
    await product.db.update(productBeats).set({ at: new Date(now.getTime() + 60_000) })
    expect(await recordProductOutage(product.app, new Date(now.getTime() + 60 * 60_000))).toBe(false)
  } finally {
    await product.stop()
  }
})
