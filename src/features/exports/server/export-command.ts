import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import type { RunCommand } from '#src/server/command-line/command.ts'
import { followLines } from '#src/server/command-line/lines.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import type { ExportSummary } from './archive.ts'

/** `guichet export FILE.zip`: the archive of the administration, written where the command says. */
export const run: RunCommand = async (context) => {
  const config = context.readConfig()
  const file = context.resolvePath(context.arguments[0] ?? '')
  if (existsSync(file)) {
    const isAgreed = await context.confirm({
      fr: `${file} existe déjà. Le remplacer?`,
      en: `${file} exists already. Replace it?`,
    })
    if (!isAgreed) throw new LocalizedError({ fr: 'Rien n’est écrit.', en: 'Nothing was written.' })
  }
  const product = await context.openProduct(config, 'export')
  try {
    const request = { method: 'POST', path: '/api/exports/command', body: { file } } as const
    const { kinds, missing, bytes } = await followLines<ExportSummary>(product, request, { progress: context.progress('rows') })
    const rows = kinds.reduce((sum, one) => sum + one.rows, 0)
    const number = (language: Language, value: number) => value.toLocaleString(locales[language])
    const warn = {
      fr: missing.length > 0 ? `\nFichiers qui manquaient déjà : ${missing.join(', ')}` : '',
      en: missing.length > 0 ? `\nFiles that were already missing: ${missing.join(', ')}` : '',
    }
    const text = {
      fr: `${file} : ${number('fr', rows)} lignes de ${kinds.length} types, ${number('fr', bytes)} octets.${warn.fr}`,
      en: `${file}: ${number('en', rows)} rows of ${kinds.length} kinds, ${number('en', bytes)} bytes.${warn.en}`,
    }
    return { text, json: { file, bytes, rows, kinds: Object.fromEntries(kinds.map((one) => [one.kind, one.rows])), missing } }
  } finally {
    await product.close()
    // After Ctrl+C beside a product that is stopped.
    if (context.signal.aborted) await rm(`${file}.part`, { force: true })
  }
}
