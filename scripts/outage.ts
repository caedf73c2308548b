// `npm run outage -- ...`: declares an outage from the server, or adds an update to one, through the product that runs there.
import { parseArgs } from 'node:util'
import { incidentInput, incidentUpdateInput } from '#src/features/networks/contract.ts'
import type { Incident } from '#src/features/networks/contract.ts'
import { ConfigError, ownAddress, readConfig } from '#src/server/config.ts'
import { sendCommand } from '#src/server/http/command-key.ts'

const usage = `Usage: npm run outage -- --element NETWORK_ID:NAME [--element ...] --severity WARNING|ERROR --title TEXT --text TEXT
         [--title-en TEXT] [--text-en TEXT] [--phase PHASE] [--next ISO_TIME] [--banner] [--note] [--mails] [--draft]
       npm run outage -- --update ID --phase investigating|identified|monitoring|resolved --text TEXT [--text-en TEXT] [--next ISO_TIME] [--mails]
An empty NAME is the network itself. The product must be running.`

class Refused extends Error {}

async function run() {
  const { values } = parse()
  const config = readConfig(process.env)
  const texts = { text: values.text, text_en: values['text-en'], next_update_at: values.next }
  const update = values.update !== undefined
  const input = update
    ? incidentUpdateInput.safeParse({ ...texts, phase: values.phase, mails: values.mails ?? false })
    : incidentInput.safeParse({
        ...texts,
        title: values.title,
        title_en: values['title-en'],
        severity: values.severity,
        phase: values.phase,
        elements: (values.element ?? []).map(readElement),
        banner: values.banner,
        note: values.note,
        mails: values.mails,
        draft: values.draft,
      })
  if (!input.success)
    throw new Refused(`${input.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n')}\n${usage}`)
  const path = update ? `/api/networks/outage/${encodeURIComponent(values.update ?? '')}` : '/api/networks/outage'
  const response = await sendCommand(config, 'outage', { method: 'POST', path, body: input.data }).catch(() => null)
  if (!response) throw new Refused(`Nothing answers at ${ownAddress(config)}: start the product, or use its HOST and PORT.`)
  const body = (await response.json()) as Incident & { detail?: string; errors?: { path: string; message: string }[] }
  if (!response.ok)
    throw new Refused(
      [body.detail ?? `HTTP ${response.status}`, ...(body.errors ?? []).map(({ path: at, message }) => `${at}: ${message}`)].join(
        '\n',
      ),
    )
  const name = body.draft ? 'a draft' : `outage ${body.number}`
  process.stdout.write(`${name} (id ${body.id_incident}): ${body.phase}, ${body.elements.length} component(s).\n`)
}

function readElement(word: string) {
  const [id = '', ...name] = word.split(':')
  return { id_reseau: Number(id), nom: name.join(':') }
}

function parse() {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      options: {
        element: { type: 'string', multiple: true },
        severity: text,
        title: text,
        'title-en': text,
        text,
        'text-en': text,
        phase: text,
        next: text,
        update: text,
        banner: flag,
        note: flag,
        mails: flag,
        draft: flag,
      },
    })
  } catch (error) {
    throw new Refused(`${(error as Error).message}\n${usage}`)
  }
}

run().catch((error: unknown) => {
  const isKnown = error instanceof Refused || error instanceof ConfigError
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
