// `npm run outage -- ...`: declares an outage from the server, or adds an update to one, through the product that runs there.
import { parseArgs } from 'node:util'
import { incidentInput, incidentUpdateInput } from '#src/features/networks/contract.ts'
import type { Incident } from '#src/features/networks/contract.ts'
import { ConfigError, ownAddress, readConfig } from '#src/server/config.ts'
import { sendCommand } from '#src/server/http/command-key.ts'

const english = `Usage: npm run outage -- --element NETWORK_ID:NAME [--element ...] --severity WARNING|ERROR --title TEXT --text TEXT
         [--title-en TEXT] [--text-en TEXT] [--phase PHASE] [--next ISO_TIME] [--banner] [--note] [--mails] [--draft]
       npm run outage -- --update ID --phase investigating|identified|monitoring|resolved --text TEXT [--text-en TEXT] [--next ISO_TIME] [--mails]
An empty NAME is the network itself. The product must be running. --json writes the outage, or the refusal, as JSON.
Exit code: 0 done; 1 refused by the product; 2 an option is wrong; 3 the product does not answer.`

const french = `Utilisation : npm run outage -- --element RÉSEAU:NOM [--element ...] --severity WARNING|ERROR --title TEXTE --text TEXTE
         [--title-en TEXTE] [--text-en TEXTE] [--phase ÉTAPE] [--next HEURE_ISO] [--banner] [--note] [--mails] [--draft]
       npm run outage -- --update NUMÉRO --phase investigating|identified|monitoring|resolved --text TEXTE [--text-en TEXTE] [--next HEURE_ISO] [--mails]
RÉSEAU est le numéro du réseau; un NOM vide désigne le réseau lui-même. Le produit doit être en marche. --json écrit la panne, ou le refus, en JSON.
Code de sortie : 0 fait; 1 refusé par le produit; 2 option incorrecte; 3 le produit ne répond pas.`

const locale = process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || ''
const usage = locale.startsWith('fr') ? french : english
const exitCodes = { refused: 1, usage: 2, unreachable: 3 } as const

class Refused extends Error {
  reason: keyof typeof exitCodes

  constructor(message: string, reason: keyof typeof exitCodes = 'refused') {
    super(message)
    this.reason = reason
  }
}

async function run() {
  const { values } = parse()
  if (values.help) return void process.stdout.write(`${usage}\n`)
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
    throw new Refused(
      `${input.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n')}\n${usage}`,
      'usage',
    )
  const path = update ? `/api/networks/outage/${encodeURIComponent(values.update ?? '')}` : '/api/networks/outage'
  const response = await sendCommand(config, 'outage', { method: 'POST', path, body: input.data }).catch(() => null)
  if (!response)
    throw new Refused(`Nothing answers at ${ownAddress(config)}: start the product, or use its HOST and PORT.`, 'unreachable')
  const body = (await response.json()) as Incident & { detail?: string; errors?: { path: string; message: string }[] }
  if (!response.ok)
    throw new Refused(
      [body.detail ?? `HTTP ${response.status}`, ...(body.errors ?? []).map(({ path: at, message }) => `${at}: ${message}`)].join(
        '\n',
      ),
    )
  if (values.json) return void process.stdout.write(`${JSON.stringify(body)}\n`)
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
        json: flag,
        help: { ...flag, short: 'h' },
      },
    })
  } catch (error) {
    throw new Refused(`${(error as Error).message}\n${usage}`, 'usage')
  }
}

run().catch((error: unknown) => {
  const isKnown = error instanceof Refused || error instanceof ConfigError
  const message = isKnown ? error.message : error instanceof Error ? error.stack : String(error)
  const reason = error instanceof Refused ? error.reason : isKnown ? 'usage' : 'refused'
  process.stderr.write(`${process.argv.includes('--json') ? JSON.stringify({ error: reason, detail: message }) : message}\n`)
  process.exitCode = exitCodes[reason]
})
