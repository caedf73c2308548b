import { company } from '#company/company.ts'
import { localTime, parseLocalTime } from '#src/lib/time/zoned-time.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { CommandContext, RunCommand } from '#src/server/command-line/command.ts'
import { ownAddress } from '#src/server/config.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import type { Problem } from '#src/server/problems.ts'
import type { UpdateAlertInput } from '../contract.ts'
import { updateAlertInput } from '../contract.ts'
import { defaultDuration } from '../values.ts'
import { announceCommand } from './service.ts'

const zone = company.hours.timeZone
const path = '/api/updates/announcement'

/**
 * Announces through the product that runs on this machine, so that everybody is notified at once; where none runs, in its
 * database.
 */
export const run: RunCommand = async (context) => {
  const input = readAnnouncement(context)
  const config = context.readConfig()
  const product = await context.openProduct(config, announceCommand)
  try {
    const response = await product.send(input ? { method: 'PUT', path, body: input } : { method: 'DELETE', path })
    if (!response.ok) {
      const problem = (await response.json().catch(() => ({}))) as { detail?: string; errors?: Problem['errors'] }
      const lines = [
        problem.detail ?? `HTTP ${response.status}`,
        ...(problem.errors ?? []).map((one) => `${one.path}: ${one.message}`),
      ]
      throw new LocalizedError({ fr: lines.join('\n'), en: lines.join('\n') })
    }
    if (!product.isRunning) {
      context.remark({
        fr: `Rien ne répond à ${ownAddress(config)} : les serveurs d’ailleurs le remarquent en quelques secondes, les autres à leur démarrage.`,
        en: `Nothing answers at ${ownAddress(config)}: servers elsewhere notice within seconds, others when they start.`,
      })
    }
    return { text: describeResult(input), json: input ? await response.json() : { removed: true } }
  } finally {
    await product.close()
  }
}

/** Reads the words of the command: the alert to announce, or null to remove it. */
export function readAnnouncement({
  arguments: [when],
  options,
}: Pick<CommandContext, 'arguments' | 'options'>): UpdateAlertInput | null {
  if (options['remove'] === true) {
    if (when === undefined) return null
    throw wrongUsage({ fr: '--remove ne prend pas d’heure.', en: '--remove takes no time.' })
  }
  if (when === undefined) {
    throw wrongUsage({
      fr: 'Donnez l’heure de la mise à jour, comme 2026-12-01T22:00, ou --remove.',
      en: 'Give the time of the update, such as 2026-12-01T22:00, or --remove.',
    })
  }
  const elements = options['element'] as string[] | undefined
  const result = updateAlertInput.safeParse({
    next_update: readInstant(when),
    message: options['message'],
    message_en: options['messageEn'],
    public: options['public'],
    duration_minutes: Number(options['duration'] ?? defaultDuration),
    elements: (elements ?? []).map(readElement),
  })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path[0])
  if (name === 'duration_minutes') {
    throw wrongUsage({
      fr: '--duration n’est pas valide : il faut un nombre de minutes de 1 à 1440.',
      en: '--duration is not valid: expected a number of minutes from 1 to 1440.',
    })
  }
  if (name === 'elements') {
    throw wrongUsage({
      fr: '--element n’est pas valide : il faut le numéro d’un réseau, un deux-points et le nom d’un élément, comme 3:Fibre.',
      en: '--element is not valid: expected the number of a network, a colon and the name of a component, such as 3:Fibre.',
    })
  }
  throw wrongUsage({ fr: `${name} n’est pas valide : ${issue?.message}.`, en: `${name} is not valid: ${issue?.message}.` })
}

const wrongUsage = (texts: LocalizedText) => new LocalizedError(texts, 'usage')

function readElement(word: string) {
  const [, id, nom] = /^(\d+):(.*)$/s.exec(word) ?? []
  return { id_reseau: Number(id), nom: nom?.trim() }
}

function readInstant(when: string) {
  if (/(Z|[+-]\d\d:\d\d)$/.test(when)) return when
  const instant = parseLocalTime(zone, when)
  if (!instant) {
    throw wrongUsage({
      fr: `« ${when} » n’est pas une heure valide à ${zone}.`,
      en: `"${when}" is not a valid time in ${zone}.`,
    })
  }
  return instant.toISOString()
}

function describeResult(input: UpdateAlertInput | null): LocalizedText {
  if (!input) return { fr: 'L’alerte de mise à jour est retirée.', en: 'The update alert has been removed.' }
  const [date, time] = localTime(zone, new Date(input.next_update)).split('T')
  return {
    fr: `La prochaine mise à jour est annoncée : ${date} à ${time} (${zone}), ${input.duration_minutes} minutes${input.public ? ', aux visiteurs aussi' : ''}.`,
    en: `The next update is announced: ${date} at ${time} (${zone}), ${input.duration_minutes} minutes${input.public ? ', to visitors too' : ''}.`,
  }
}
