import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const smallest = 1_024

/** Writes a .br and a .gz beside each text file of the built site; the server picks by Accept-Encoding. */
for (const file of globSync('build/site/client/**/*.{js,css,svg,json,txt,webmanifest,ico}')) {
  const bytes = readFileSync(file)
  if (bytes.length < smallest) continue
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: parameters }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}
