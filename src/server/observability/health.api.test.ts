import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

describe('health', () => {
  test('is reported while the process runs and the database responds', async () => {
    const visitor = await product.client()
    expect(await visitor.get('/healthz')).toMatchObject({ status: 200, text: 'OK' })
    expect(await visitor.get('/readyz')).toMatchObject({ status: 200, text: 'OK' })
  })

  test('is not ready while the database is down, although the process runs', async () => {
    const broken = await startTestApp()
    const visitor = await broken.client()
    const stop = vi.spyOn(broken.app.db, 'execute').mockRejectedValue(new Error('connection refused at /var/run/postgresql'))
    const response = await visitor.get('/readyz')
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(response.text).not.toContain('/var/run')
    expect((await visitor.get('/healthz')).status).toBe(200)
    stop.mockRestore()
    expect((await visitor.get('/readyz')).status).toBe(200)
    await broken.stop()
  })
})

describe('the headers of every response', () => {
  test.each(['/healthz', '/api/networks/reseau', '/api/nothing', '/nothing'])('protect %s', async (address) => {
    const { headers } = await (await product.client()).get(address)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  test('keep private API responses out of caches', async () => {
    const client = await product.signIn()
    const response = await client.get('/api/users/users')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    [{ PUBLIC_URL: 'https://www.example.com' }, 'max-age=63072000; includeSubDomains'],
    [{ PUBLIC_URL: 'https://www.example.com', HSTS: 'max-age=300' }, 'max-age=300'],
    [{ PUBLIC_URL: 'https://www.example.com', HSTS: '0' }, null],
    [{ PUBLIC_URL: 'http://www.example.com' }, null],
  ])('require https where browsers use it, behind any proxy: %o', async (environment, wanted) => {
    const reached = await startTestApp({ environment })
    const visitor = await reached.client()
    for (const address of ['/healthz', '/api/networks/reseau', '/api/networks/reseau', '/api/nothing', '/nothing']) {
      expect((await visitor.get(address)).headers.get('strict-transport-security')).toBe(wanted)
    }
    await reached.stop()
  })

  test('contain a generated request id, whatever the client sends', async () => {
    const visitor = await product.client()
    const { headers } = await visitor.get('/healthz', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
    expect(headers.get('x-request-id')).not.toBe('mine')
  })
})

describe('the description of the API', () => {
  test('is generated from the validating schemas', async () => {
    const { status, body } = await (
      await product.client()
    ).get<{ paths: Record<string, Record<string, unknown>> }>('/api/openapi.json')
    expect(status).toBe(200)
    expect(body.paths['/api/networks/reseau/{id}']).toHaveProperty('put')
    expect(JSON.stringify(body.paths['/api/networks/reseau/'] ?? body.paths['/api/networks/reseau'])).toContain('details')
  })
})
