import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Writes a .br and a .gz file beside each text file of the built site; the server chooses by Accept-Encoding. */
for (const file of globSync('build/site/client/**/*.{js,css,svg,json,txt,webmanifest,ico}')) {
  const bytes = readFileSync(file)
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const copies = { br: brotliCompressSync(bytes, { params: parameters }), gz: gzipSync(bytes, { level: 9 }) }
  for (const [ending, copy] of Object.entries(copies)) if (copy.length < bytes.length) writeFileSync(`${file}.${ending}`, copy)
}
