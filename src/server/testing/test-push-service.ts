import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

type Push = {
  at: number
  headers: IncomingHttpHeaders
  /** What the device reads. */
  payload: Record<string, unknown>
  /** Who called (VAPID), after its signature was checked. */
  claims: { aud: string; exp: number; sub: string }
  publicKey: string
}

/** A push service with devices that decrypt what they receive, as browsers do. Other processes trust it by the file of `ca`. */
export async function startTestPushService() {
  const { key, certificate } = makeCertificate()
  const devices = new Map<string, (headers: IncomingHttpHeaders, body: Buffer) => void>()
  let status = 201
  const server = createServer({ key, cert: certificate }, (request, response) => {
    buffer(request).then(
      (body) => {
        const receive = devices.get(request.url ?? '')
        if (receive && status < 300) receive(request.headers, body)
        response.writeHead(receive ? status : 410).end()
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate])

  return {
    origin,
    ca: certificate,
    /** Sets the response of the service from now on. */
    answer(next: number) {
      status = next
    },
    addDevice() {
      const keys = createECDH('prime256v1')
      const p256dh = keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      const received: Push[] = []
      devices.set(path, (headers, body) => {
        const payload = JSON.parse(decryptPush(body, keys, p256dh, auth)) as Push['payload']
        received.push({ at: Date.now(), headers, payload, ...readVapid(headers.authorization ?? '') })
      })
      return {
        subscription: {
          endpoint: origin + path,
          keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
        },
        received,
        /** The browser drops the subscription. */
        remove: () => devices.delete(path),
      }
    },
    async stop() {
      setDefaultCACertificates(trusted)
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

export type TestPushService = Awaited<ReturnType<typeof startTestPushService>>

const hmac = (key: Buffer, ...data: (Buffer | string)[]) => {
  const made = createHmac('sha256', key)
  for (const part of data) made.update(part)
  return made.digest()
}

/** RFC 8291: one record of aes128gcm (RFC 8188), its key derived from the secret that device and sender share. */
function decryptPush(body: Buffer, keys: ReturnType<typeof createECDH>, p256dh: Buffer, auth: Buffer) {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const input = hmac(hmac(auth, keys.computeSecret(sender)), 'WebPush: info\0', p256dh, sender, '\u0001')
  const secret = hmac(salt, input)
  const contentKey = hmac(secret, 'Content-Encoding: aes128gcm\0\u0001').subarray(0, 16)
  const nonce = hmac(secret, 'Content-Encoding: nonce\0\u0001').subarray(0, 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const clear = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  return clear.subarray(0, clear.lastIndexOf(2)).toString('utf8')
}

/** RFC 8292: a token signed with the key that the header names. */
function readVapid(authorization: string) {
  const [, head = '', body = '', signature = '', publicKey = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the token of the sender is not signed with its key')
  return { publicKey, claims: JSON.parse(Buffer.from(body, 'base64url').toString()) as Push['claims'] }
}

/** DER (X.690): a tag, the length, the content. */
function der(tag: number, ...content: (Buffer | number[] | string)[]) {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as Buffer)))
  const length =
    body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

/** A certificate for 127.0.0.1, valid around now, and its key. */
export function makeCertificate(daysLeft = 2) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
  const name = der(0x30, der(0x31, der(0x30, der(0x06, [0x55, 0x04, 0x03]), der(0x0c, 'Test push service'))))
  const time = (days: number) =>
    der(0x18, `${new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`)
  const alternativeName = der(0x30, der(0x06, [0x55, 0x1d, 0x11]), der(0x04, der(0x30, der(0x87, [127, 0, 0, 1]))))
  const isAuthority = der(0x30, der(0x06, [0x55, 0x1d, 0x13]), der(0x01, [255]), der(0x04, der(0x30, der(0x01, [255]))))
  const body = der(
    0x30,
    der(0xa0, der(0x02, [2])),
    der(0x02, [1, ...randomBytes(8)]),
    algorithm,
    name,
    der(0x30, time(-2), time(daysLeft)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, alternativeName, isAuthority)),
  )
  const signature = der(0x03, [0], sign('sha256', body, privateKey))
  const encoded = der(0x30, body, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    certificate: `-----BEGIN CERTIFICATE-----\n${encoded.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
