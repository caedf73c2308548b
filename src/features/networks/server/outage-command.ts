import type { LocalizedText } from '#src/lib/form-result.ts'
import type { RunCommand } from '#src/server/command-line/command.ts'
import { ownAddress } from '#src/server/config.ts'
import { sendCommand } from '#src/server/http/command-key.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import type { Incident } from '../contract.ts'
import { incidentInput, incidentUpdateInput } from '../contract.ts'

/** Declares an outage through the product that runs on this machine, or adds an update to one. */
export const run: RunCommand = async ({ options, readConfig }) => {
  const text = (name: string) => options[name] as string | undefined
  const texts = { text: text('text'), text_en: text('textEn'), next_update_at: text('next') }
  const update = text('update')
  const input =
    update === undefined
      ? incidentInput.safeParse({
          ...texts,
          title: text('title'),
          title_en: text('titleEn'),
          severity: text('severity'),
          phase: text('phase'),
          elements: ((options['element'] as string[] | undefined) ?? []).map(readElement),
          banner: options['banner'],
          note: options['note'],
          mails: options['mails'],
          draft: options['draft'],
        })
      : incidentUpdateInput.safeParse({ ...texts, phase: text('phase'), mails: options['mails'] ?? false })
  if (!input.success) {
    throw asError(
      input.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
      'usage',
    )
  }
  const config = readConfig()
  const path = update === undefined ? '/api/networks/outage' : `/api/networks/outage/${encodeURIComponent(update)}`
  const response = await sendCommand(config, 'outage', { method: 'POST', path, body: input.data }).catch(() => null)
  if (!response) {
    throw new LocalizedError(
      {
        fr: `Rien ne répond à ${ownAddress(config)} : démarrez le produit, ou utilisez ses HOST et PORT.`,
        en: `Nothing answers at ${ownAddress(config)}: start the product, or use its HOST and PORT.`,
      },
      'unreachable',
    )
  }
  const body = (await response.json()) as Incident & { detail?: string; errors?: { path: string; message: string }[] }
  if (!response.ok) {
    const errors = (body.errors ?? []).map(({ path: at, message }) => `${at}: ${message}`)
    throw asError([body.detail ?? `HTTP ${response.status}`, ...errors], 'refused')
  }
  return { text: describe(body), json: body }
}

const asError = (lines: string[], reason: 'usage' | 'refused') =>
  new LocalizedError({ fr: lines.join('\n'), en: lines.join('\n') }, reason)

function readElement(word: string) {
  const [id = '', ...name] = word.split(':')
  return { id_reseau: Number(id), nom: name.join(':') }
}

function describe({ draft, number, id_incident: id, phase, elements }: Incident): LocalizedText {
  return {
    fr: `${draft ? 'brouillon' : `panne ${number}`} (id ${id}) : ${phase}, ${elements.length} élément(s).`,
    en: `${draft ? 'a draft' : `outage ${number}`} (id ${id}): ${phase}, ${elements.length} component(s).`,
  }
}
