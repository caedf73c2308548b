import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import dns from 'node:dns/promises'
import fileSystem from 'node:fs/promises'
import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runGuichet } from '#src/app/testing/run-guichet.ts'
import type { CheckName } from '#src/lib/doctor-texts.ts'
import { checkNames } from '#src/lib/doctor-texts.ts'
import { makeCertificate } from '#src/server/testing/test-push-service.ts'
import type { Check } from '#src/server/doctor/checks.ts'

let folder: string
const servers: Server[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-doctor-'))
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

/** A server of a line protocol: it greets, then answers each line. */
async function listen(greeting: string, answer: (line: string) => string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(greeting)
    socket.on('data', (part) => {
      for (const line of part.toString().trim().split('\r\n')) socket.write(answer(line))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function doctor(environment: Record<string, string>) {
  const given = { NODE_ENV: 'test', PORT: '0', DATA_DIR: join(folder, 'data'), ...environment }
  const { code, output, errors } = await runGuichet(['doctor', '--json'], { environment: given })
  expect(errors).toBe('')
  const { ok, checks } = JSON.parse(output) as {
    ok: boolean
    checks: (Omit<Check, 'message' | 'fix'> & { message: string; fix: string | null })[]
  }
  expect(checks.map(({ check }) => check)).toEqual(checkNames)
  expect({ ok, code }).toEqual({ ok: checks.every(({ state }) => state !== 'fail'), code: ok ? 0 : 1 })
  for (const { state, fix } of checks) expect(fix === null).toBe(state === 'ok' || state === 'skip')
  expect(output).not.toContain('hidden-word')
  return (name: CheckName) => checks.find(({ check }) => check === name)
}

describe('guichet doctor', { timeout: 120_000 }, () => {
  test('finds nothing wrong with an installation that was never started, and changes nothing', async () => {
    const find = await doctor({})
    expect(find('database')).toMatchObject({ state: 'ok' })
    expect(find('data_folder')).toMatchObject({ state: 'ok' })
    expect(find('smtp')).toMatchObject({ state: 'skip', message: 'SMTP_URL is not set' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('names what refuses or does not respond, and never a password', async () => {
    const smtp = await listen('220 mail.example.com\r\n', (line) =>
      line.startsWith('EHLO') ? '250-mail.example.com\r\n250 AUTH PLAIN LOGIN\r\n' : '535 5.7.8 refused\r\n',
    )
    const imap = await listen('* OK [CAPABILITY IMAP4rev1] ready\r\n', (line) => {
      const [tag = '', command = ''] = line.split(' ')
      if (command === 'CAPABILITY') return `* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`
      return command === 'LOGIN' ? `${tag} NO [AUTHENTICATIONFAILED] refused\r\n` : `${tag} OK done\r\n`
    })
    const taken = await listen('', () => '')
    const find = await doctor({
      DATABASE_URL: 'postgres://someone:hidden-word@127.0.0.1:1/name',
      REDIS_URL: 'redis://:hidden-word@127.0.0.1:1',
      SMTP_URL: `smtp://someone:hidden-word@127.0.0.1:${smtp}`,
      IMAP_URL: `imap://someone:hidden-word@127.0.0.1:${imap}/INBOX`,
      PORT: String(taken),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'https://localhost:1',
    })
    expect(find('database')).toMatchObject({ state: 'fail', message: expect.stringContaining('127.0.0.1:1') as string })
    expect(find('redis')).toMatchObject({ state: 'fail', message: expect.stringContaining('ECONNREFUSED') as string })
    expect(find('smtp')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('refuses the username or the password') as string,
    })
    expect(find('imap')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('refuses the username or the password') as string,
    })
    expect(find('port')).toMatchObject({ state: 'fail', message: expect.stringContaining('is already used') as string })
    expect(find('configuration')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('LOG_LEVEL is not valid') as string,
    })
    expect(find('certificate')).toMatchObject({ state: 'fail', message: 'localhost does not respond (ECONNREFUSED)' })
    expect(find('disk')?.state).not.toBe('skip')
  })

  test('names a damaged database, an old backup and a proxy that anybody can pass by', async () => {
    const dataDir = join(folder, 'damaged')
    mkdirSync(join(dataDir, 'database/global'), { recursive: true })
    mkdirSync(join(dataDir, 'backups'))
    writeFileSync(join(dataDir, 'database/global/pg_control'), 'x')
    const night = join(dataDir, 'backups/night-2026-11-16T02-30-00.tar.gz')
    writeFileSync(night, '')
    const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000)
    utimesSync(night, threeDaysAgo, threeDaysAgo)
    const find = await doctor({ DATA_DIR: dataDir, TRUST_PROXY: '1', HOST: '0.0.0.0' })
    expect(find('database')).toMatchObject({ state: 'fail', message: expect.stringContaining('is damaged') as string })
    expect(find('backup')).toMatchObject({ state: 'warn', message: 'The last one is 72 hours old' })
    utimesSync(night, new Date(), new Date())
    const open = await doctor({ DATA_DIR: dataDir })
    expect(open('backup')).toMatchObject({ state: 'warn', message: 'The last one is 0 hours old, and backups are not encrypted' })
    const BACKUP_RECIPIENT = 'age1s5yad8cwel72r9tp2jcwlzd2jjt0fuprwam2wgyumzgfwsd3jp0s0xsehf'
    const encrypted = await doctor({ DATA_DIR: dataDir, BACKUP_RECIPIENT })
    expect(encrypted('backup')).toMatchObject({ state: 'ok' })
    expect(find('proxy')).toMatchObject({ state: 'warn', message: expect.stringContaining('can forge an address') as string })
    expect(find('proxy')?.fix).toContain('In a container, do not publish the port')
  })

  test('names a certificate that has expired, and one that ends soon', async () => {
    const trusted = getCACertificates('default')
    const certificates = [makeCertificate(-1), makeCertificate(5)]
    setDefaultCACertificates([...trusted, ...certificates.map(({ certificate }) => certificate)])
    try {
      const found = []
      for (const { key, certificate } of certificates) {
        const server = createSecureServer({ key, cert: certificate }, (socket) => socket.on('error', () => undefined))
        servers.push(server)
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const find = await doctor({ PUBLIC_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}` })
        found.push(find('certificate'))
      }
      expect(found).toMatchObject([
        { state: 'fail', message: 'The certificate of 127.0.0.1 has expired', fix: 'Renew the certificate.' },
        { state: 'warn', message: expect.stringMatching(/^Certificate valid for [45] days$/) as string },
      ])
    } finally {
      setDefaultCACertificates(trusted)
    }
  })

  test('says which records of the mail are wrong, and when the DNS does not tell', async () => {
    const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code, hostname: 'example.com' }))
    const records: Record<string, string[]> = {}
    const texts = vi.spyOn(dns, 'resolveTxt').mockImplementation(async (name) => {
      const found = records[name]
      return found ? found.map((one) => [one.slice(0, 5), one.slice(5)]) : failing('ENODATA')
    })
    const exchanges = vi.spyOn(dns, 'resolveMx').mockImplementation(() => failing('ENOTFOUND'))
    const environment = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'guichet@example.com', DKIM_SELECTOR: 'mail2026' }
    const find = async (more = {}) => (await doctor({ ...environment, ...more }))('mail_records')
    try {
      expect((await find())?.message).toBe(
        'To correct in the DNS: example.com: MX; example.com: TXT v=spf1 … ~all; _dmarc.example.com: one TXT v=DMARC1; mail2026._domainkey.example.com: TXT p=…',
      )
      exchanges.mockResolvedValue([{ exchange: '', priority: 0 }])
      records['example.com'] = ['v=spf1 mx +all', 'v=spf1 a all', 'google-site-verification=x']
      records['_dmarc.example.com'] = ['v=DMARC1; p=none']
      records['mail2026._domainkey.example.com'] = ['v=DKIM1; p=']
      const wrong = await find()
      expect(wrong?.message).toBe(
        'To correct in the DNS: example.com: MX; example.com: one v=spf1, not 2; example.com: v=spf1 without “+all”; mail2026._domainkey.example.com: TXT p=…',
      )
      expect(wrong).toMatchObject({ state: 'warn', fix: 'docs/mail.md gives the exact records.' })
      exchanges.mockResolvedValue([{ exchange: 'mail.example.com', priority: 10 }])
      records['example.com'] = ['v=spf1 mx ~all']
      records['mail2026._domainkey.example.com'] = ['v=DKIM1; k=rsa; p=MIIB']
      expect(await find()).toMatchObject({ state: 'ok', message: 'example.com has MX, SPF, DKIM and DMARC' })
      expect((await find({ DKIM_SELECTOR: '' }))?.message).toContain('DKIM_SELECTOR is not set')
      texts.mockImplementation(() => failing('ECONNREFUSED'))
      // It is not known what is missing.
      expect(await find()).toMatchObject({ state: 'warn', message: 'The DNS did not answer for example.com (ECONNREFUSED).' })
    } finally {
      texts.mockRestore()
      exchanges.mockRestore()
    }
  })

  test('names a full disk', async () => {
    const full = vi.spyOn(fileSystem, 'statfs').mockResolvedValue({ ...(await fileSystem.statfs(folder)), bavail: 0 })
    try {
      const find = await doctor({})
      expect(find('disk')).toMatchObject({ state: 'fail', message: expect.stringMatching(/^0 bytes? free of /) as string })
      expect(find('data_folder')).toMatchObject({ state: 'ok' })
    } finally {
      full.mockRestore()
    }
  })

  test('writes failures first for people, in their language', async () => {
    const environment = { NODE_ENV: 'test', PORT: '0', DATA_DIR: join(folder, 'file/data'), LANG: 'fr_CA.UTF-8' }
    writeFileSync(join(folder, 'file'), '')
    const { code, output } = await runGuichet(['doctor'], { environment })
    expect(code).toBe(1)
    const lines = output.split('\n')
    expect(lines[0]).toMatch(/^\d+ échecs? et \d+ points? à voir sur 16 vérifications$/)
    expect(lines[2]).toMatch(/^✗ échec +Dossier des données +.+ il faut un dossier/)
    expect(lines[3]).toMatch(/^ +→ Corrigez/)
    expect(output).toContain('Aucun courriel envoyé, rien de modifié.')
  })
})
