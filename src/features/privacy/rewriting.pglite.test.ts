import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { findRetentionHealth } from './server/retention.ts'
import { findRewriting, recordRewriting } from './server/rewriting.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const done = { rewritten: 1, failed: [], longestMs: 1_240 }

test('the health page says until when what is erased stays in the files, and what the last night did', async () => {
  expect(await findRetentionHealth(product.app)).toMatchObject({
    status: 'OK',
    lines: [{ fr: expect.stringContaining('4\u00a0h\u00a010') as string, en: expect.stringContaining('4:10 a.m.') as string }],
  })
  await recordRewriting(product.db, done)
  expect(await findRetentionHealth(product.app)).toMatchObject({
    status: 'OK',
    lines: [
      {
        fr: expect.stringMatching(/1 table récrite .* 1,3\u00a0s/) as string,
        en: expect.stringMatching(/1 table .* 1\.3 s/) as string,
      },
      {},
    ],
  })
  const page = await (await product.signIn()).get<{ reports: { label: { fr: string } }[] }>('/api/etat')
  expect(page.body.reports.map(({ label }) => label.fr)).toContain('Conservation')
})

test('nights that were missed and tables that could not be rewritten are told', async () => {
  await recordRewriting(product.db, done)
  const [inTwoDays, inFourDays] = [2, 4].map((days) => Date.now() + days * 86_400_000)
  expect(await findRewriting(product.app, inTwoDays)).toMatchObject({ status: 'OK' })
  expect(await findRewriting(product.app, inFourDays)).toMatchObject({ status: 'WARNING' })
  await recordRewriting(product.db, { ...done, failed: ['public.chats'] })
  expect(await findRetentionHealth(product.app)).toMatchObject({
    status: 'ERROR',
    lines: [{ en: expect.stringContaining('public.chats') as string }, {}],
  })
})
