import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs values with the product's secret; a signature is valid for its `purpose` only. */
export function sign(secret: string, purpose: string, ...values: string[]) {
  return createHmac('sha256', secret)
    .update([purpose, ...values].join('\n'))
    .digest('base64url')
}

/** True for the signature of these values; compared in constant time. */
export function isSigned(signature: string, secret: string, purpose: string, ...values: string[]) {
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(secret, purpose, ...values))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
