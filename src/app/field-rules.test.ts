import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import { explainFieldError, fieldErrorTexts } from '#src/ui/forms/failures.ts'

/** What pages send and nobody types: a wrong value there is a fault of the page. */
const untyped = new Set(
  'version client_id client_message_id english_reviewed findings last_entry elapsed_ms details logo photo picture data token ordre id_ordre'.split(
    ' ',
  ),
)
/** Contracts of the chat's visitors and of programs; their forms have their own tests. */
const withoutForm =
  /^(chatKey|transcript|rating|attach|staffAttach|attachedFile|leftMessage|chatMail|signal|missing|proof|confirmation)Input$/

const wrong = ['', ' ', 'Karim Haddad', 'x!é "', 'a\nb', '2026-13-45', '1700-01-01', '1700-01-01T00:00:00Z', 'x'.repeat(200_001)]
const wrongNumbers = [-1, 0, 1.5, 1e12, Number.NaN]

/** Rules that the dialog of redirects explains beside its field. */
const explainedByField = new Set(['redirectInput from'])

const rules = await findRules()

test('the rules of the fields are found', () => {
  expect(rules.length).toBeGreaterThan(60)
})

test('every rule of a field has a message that says what is expected', () => {
  const unexplained = rules.filter(({ message, own }) => !own.includes(message) && explainFieldError(message)[0] === 'invalid')
  expect(unexplained.map(({ name, message }) => `${name}: ${message}`)).toEqual([])
})

test.each(languages)('no text of an error says only that a value is wrong (%s)', async (language) => {
  const vague =
    /(n’est pas (valide|permise?)|ne convient pas|n’a pas la forme|does not have the form|is not (valid|allowed)|is invalid|does not suit)/
  const wanted = /par exemple|for example|such as|comme |il faut|expected|must|doit|:/
  const found: string[] = []
  for (const file of globSync('src/{features,ui}/**/{texts,*-texts,failures}.ts')) {
    if (file.endsWith('server-texts.ts')) continue
    const module = (await import(/* @vite-ignore */ `${process.cwd()}/${file}`)) as Record<string, unknown>
    for (const catalogue of Object.values(module)) {
      if (!isCatalogue(catalogue)) continue
      for (const [key, text] of Object.entries(catalogue[language]))
        if (typeof text === 'string' && vague.test(text) && !wanted.test(text)) found.push(`${file} ${key}: ${text}`)
    }
  }
  // The fallback for a rule without a message of its own.
  expect(found.filter((line) => !line.includes(fieldErrorTexts[language].invalid))).toEqual([])
})

function isCatalogue(value: unknown): value is Record<(typeof languages)[number], Record<string, unknown>> {
  return typeof value === 'object' && value !== null && 'fr' in value && 'en' in value
}

/** Every message of every field that staff fill in, found by wrong values, with the messages that its feature's pages show. */
async function findRules() {
  const found = new Map<string, { name: string; message: string; own: string }>()
  for (const file of globSync('src/features/**/contract.ts')) {
    const folder = path.dirname(file)
    const own = globSync(`${folder}/**/*.{ts,tsx}`)
      .filter((name) => /\/(web|settings|console|reports)\/|\/values\.ts$/.test(name) && !name.includes('.test.'))
      .map((name) => readFileSync(name, 'utf8'))
      .join('\n')
    const module = (await import(/* @vite-ignore */ `${process.cwd()}/${file}`)) as Record<string, unknown>
    for (const [name, schema] of Object.entries(module)) {
      if (!(schema instanceof z.ZodType) || !/(Input|Change)$/.test(name) || withoutForm.test(name)) continue
      for (const { field, message } of messagesOf(schema, ''))
        if (!explainedByField.has(`${name} ${field}`))
          found.set(`${name}.${field} ${message}`, { name: `${folder} ${name} ${field}`, message, own })
    }
  }
  return [...found.values()]
}

function messagesOf(schema: unknown, field: string): { field: string; message: string }[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, inner]) =>
      untyped.has(key) ? [] : messagesOf(inner, field ? `${field}.${key}` : key),
    )
  if (schema instanceof z.ZodArray) return messagesOf(schema.element, `${field}[]`)
  if (schema instanceof z.ZodPipe) return messagesOf(schema.in, field)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return messagesOf(schema.unwrap(), field)
  if (!(schema instanceof z.ZodType)) return []
  const isNumber = schema.safeParse('text').error?.issues[0]?.message.startsWith('Invalid input: expected number')
  return (isNumber ? wrongNumbers : wrong).flatMap((value) =>
    (schema.safeParse(value).error?.issues ?? [])
      .filter(({ code, message }) => code !== 'invalid_type' || /expected (int|number)/.test(message))
      .map(({ message }) => ({ field, message })),
  )
}
