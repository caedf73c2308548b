import { generate } from 'otplib'
import type { TestClient } from '#src/app/testing/test-client.ts'
import type { TotpSetUp } from '../contract.ts'

/** Sets up 2FA for the signed-in user; returns its secret and the recovery codes. */
export async function turnTotpOn(client: TestClient) {
  const { body } = await client.post<TotpSetUp>('/api/auth/me/totp')
  const spent = await generate({ secret: body.secret })
  const { body: codes } = await client.post<string[]>('/api/auth/me/totp/confirm', { code: spent })
  return { secret: body.secret, codes }
}
