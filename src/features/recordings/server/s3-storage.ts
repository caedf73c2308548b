import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { mimeTypes } from '../values.ts'
import type { RecordingStorage } from './storage.ts'

/** `https://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION`: any store that speaks S3, by path. */
export function openS3Storage(address: string): RecordingStorage {
  const { username, password, origin, pathname, searchParams } = new URL(address)
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: 's3',
    region: searchParams.get('region') ?? 'us-east-1',
    retries: 3,
  })
  const urlOf = (key: string) => `${origin}${pathname.replace(/\/$/, '')}/${key}`

  return {
    async put(key, { path, type }) {
      // A blob of the file is read as it is sent, with its length said first, and can be sent again.
      const body = await openAsBlob(path, { type: mimeTypes[type] })
      const headers = { 'content-type': mimeTypes[type], 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
      await drop(await client.fetch(urlOf(key), { method: 'PUT', body, headers }), 'keep')
    },
    async open(key, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : undefined
      const response = await client.fetch(urlOf(key), { headers })
      const isWhole = range === null || response.status === 206
      if (!response.ok || !response.body || !isWhole) {
        await response.body?.cancel()
        throw new Error(`the store answered ${response.status} to a read`)
      }
      return Readable.fromWeb(response.body as ReadableStream)
    },
    async remove(key) {
      const response = await client.fetch(urlOf(key), { method: 'DELETE' })
      if (response.status !== 404) await drop(response, 'remove')
    },
  }
}

async function drop(response: Response, work: string) {
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the store answered ${response.status} to ${work} a recording`)
}
