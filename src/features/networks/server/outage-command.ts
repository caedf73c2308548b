import type { LocalizedText } from '#src/lib/form-result.ts'
import { translateAll } from '#src/lib/form-result.ts'
import type { RunCommand } from '#src/server/command-line/command.ts'
import { ownAddress } from '#src/server/config.ts'
import { sendCommand } from '#src/server/http/command-key.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { explainFieldError, fieldErrorTexts } from '#src/ui/forms/failures.ts'
import type { Incident } from '../contract.ts'
import { incidentInput, incidentUpdateInput } from '../contract.ts'

/** Declares an outage through the product that runs on this machine, or adds an update to one. */
export const run: RunCommand = async ({ options, readConfig }) => {
  const text = (name: string) => options[name] as string | undefined
  const texts = { text: text('text'), text_en: text('textEn'), next_update_at: text('next') }
  const update = text('update')
  const elements = (options['element'] as string[] | undefined) ?? []
  const input =
    update === undefined
      ? incidentInput.safeParse({
          ...texts,
          title: text('title'),
          title_en: text('titleEn'),
          severity: text('severity'),
          phase: text('phase'),
          elements: elements.map(readElement),
          banner: options['banner'],
          note: options['note'],
          mails: options['mails'],
          draft: options['draft'],
        })
      : incidentUpdateInput.safeParse({ ...texts, phase: text('phase'), mails: options['mails'] ?? false })
  if (!input.success) {
    const wrong = input.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
    throw asError(
      wrong.map((one) => explain(one, elements)),
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
  const body = (await response.json()) as Incident & { detail?: string; errors?: FieldError[] }
  if (!response.ok) {
    const detail = body.detail ?? `HTTP ${response.status}`
    throw asError([{ fr: detail, en: detail }, ...(body.errors ?? []).map((one) => explain(one, elements))], 'refused')
  }
  return { text: describe(body), json: body }
}

type FieldError = { path: string; message: string }
/** Options that are not named as their field. */
const optionOf: Record<string, string> = { next_update_at: 'next', elements: 'element' }

const asError = (lines: LocalizedText[], reason: 'usage' | 'refused') =>
  new LocalizedError({ fr: lines.map(({ fr }) => fr).join('\n'), en: lines.map(({ en }) => en).join('\n') }, reason)

/** Names the option, with its value where it may be repeated. */
function explain({ path, message }: FieldError, elements: readonly string[]): LocalizedText {
  const [field = '', at] = path.split('.')
  if (field === 'elements' && at !== undefined) {
    const option = `--element ${elements[Number(at)]}`
    return {
      fr: `${option} : aucun réseau n’a cet élément. Donnez le numéro d’un réseau et le nom d’un de ses éléments, par exemple 3:Fibre.`,
      en: `${option}: no network has this component. Give the number of a network and the name of one of its components, such as 3:Fibre.`,
    }
  }
  const option = `--${optionOf[field] ?? field.replaceAll('_', '-')}`
  const { fr, en } = translateAll(fieldErrorTexts, ...explainFieldError(message))
  return { fr: `${option} : ${fr}`, en: `${option}: ${en}` }
}

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
