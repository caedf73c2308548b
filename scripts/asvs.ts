import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const evidence = z.union([
  z.strictObject({ file: z.string(), test: z.string() }),
  z.strictObject({ command: z.string() }),
  z.strictObject({ reading: z.string() }),
])
const row = z.strictObject({
  id: z.string().regex(/^\d+\.\d+\.\d+$/),
  level: z.union([z.literal(1), z.literal(2)]),
  /** The requirement, in our own words. */
  what: z.string().min(3),
  state: z.enum(['met', 'does not apply', 'not met']),
  /** How it is met, or why not. */
  how: z.string().min(1),
  shown: z.array(evidence).min(1),
})
export type AsvsRow = z.infer<typeof row>

const chapters = [
  'Encoding and cleaning',
  'Validation and business rules',
  'Browsers',
  'API and web services',
  'Files',
  'Authentication',
  'Sessions',
  'Authorization',
  'Signed tokens',
  'OAuth and OpenID Connect',
  'Cryptography',
  'TLS',
  'Configuration',
  'Data',
  'Architecture and parts',
  'Logs and errors',
  'WebRTC',
]

export const readAsvs = () => z.array(row).parse(parse(readFileSync('docs/security/asvs.yaml', 'utf8')))

export const isReadOnly = ({ shown }: AsvsRow) => shown.every((one) => 'reading' in one)

/** The readable page, in Markdown. */
export function asvsPage(rows: AsvsRow[]) {
  const count = (state: AsvsRow['state']) => rows.filter((one) => one.state === state).length
  const head = [
    '# OWASP ASVS 5.0, levels 1 and 2',
    '',
    'Made from [asvs.yaml](asvs.yaml) by `node scripts/asvs-page.ts`; a test compares the two, and each test that is named with the suite. The numbers are those of the standard, the words are ours.',
    '',
    `${rows.length} requirements: ${count('met')} met, ${count('not met')} not met, ${count('does not apply')} do not apply. ${rows.filter(isReadOnly).length} are shown by reading alone.`,
  ]
  const parts = chapters.flatMap((title, index) => {
    const own = rows.filter(({ id }) => id.startsWith(`${index + 1}.`))
    const lines = own.map(({ id, level, what, state, how, shown }) => {
      const cells = [id, level, what, state === 'not met' ? '**not met**' : state, how, shown.map(describe).join('; ')]
      return `| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`
    })
    return [
      '',
      `## V${index + 1} ${title}`,
      '',
      '| | level | requirement | | how, or why | shown by |',
      '|---|---|---|---|---|---|',
      ...lines,
    ]
  })
  return `${[...head, ...parts].join('\n')}\n`
}

function describe(one: AsvsRow['shown'][number]) {
  if ('test' in one) return `\`${one.file}\`: “${one.test}”`
  return 'command' in one ? `\`${one.command}\`` : `reading \`${one.reading}\``
}
