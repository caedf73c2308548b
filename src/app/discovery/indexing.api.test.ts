import { expect, test } from 'vitest'
import { startTestApp } from '#src/app/testing/test-app.ts'

const addresses = ['/robots.txt', '/sitemap.xml', '/healthz', '/api/jobs/emplois', '/emploi/feed.fr.xml', '/nothing']

test('a copy to try things on says so with every answer, and blocks nothing', async () => {
  const product = await startTestApp({ environment: { INDEXING: '0' } })
  const visitor = await product.client()
  // Twice: the second may be a stored response.
  for (const address of [...addresses, ...addresses]) {
    const { headers } = await visitor.get(address)
    expect(headers.get('x-robots-tag'), address).toBe('noindex, nofollow')
  }
  expect((await visitor.get('/robots.txt')).text).toBe('User-agent: *\nDisallow:\n')
  await product.stop()
})

test('a site says so of its administration alone', async () => {
  const product = await startTestApp()
  const visitor = await product.client()
  const tagOf = async (address: string) => (await visitor.get(address)).headers.get('x-robots-tag')
  for (const address of addresses) expect(await tagOf(address), address).toBeNull()
  for (const address of ['/admin', '/admin/login', '/login?x']) expect(await tagOf(address), address).toBe('noindex')
  expect(await tagOf('/administration')).toBeNull()
  await product.stop()
})
