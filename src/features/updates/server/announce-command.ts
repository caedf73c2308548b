import { parseArgs } from 'node:util'
import { company } from '#company/company.ts'
import type { NameElements } from '#src/features/content/server/feature.ts'
import { localTime, parseLocalTime } from '#src/lib/time/zoned-time.ts'
import type { Config } from '#src/server/config.ts'
import { ownAddress } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { sendCommand } from '#src/server/http/command-key.ts'
import { createEvents } from '#src/server/live/events.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { prepareDatabase } from '#src/server/secrets/bind-secret.ts'
import { Problem } from '#src/server/problems.ts'
import type { UpdateAlertInput } from '../contract.ts'
import { updateAlertInput } from '../contract.ts'
import { defaultDuration } from '../values.ts'
import { announceAuthor, announceCommand, removeUpdateAlert, setUpdateAlert } from './service.ts'

/** An invalid use of the command; the message is printed without a stack trace. */
export class AnnouncementRejected extends Error {}

const zone = company.hours.timeZone

export const announceUsage = `Usage: npm run announce-update -- "2026-12-01T22:00" [--message TEXT] [--message-en TEXT] [--public] [--duration MINUTES]
         [--element NETWORK_ID:NAME ...]
       npm run announce-update -- --remove
The time is the company's (${zone}); one with an offset, such as 2026-12-01T22:00:00-05:00, is taken as it is.
Each --element is what the update may interrupt: its outages meanwhile are no downtime. An empty NAME is the whole network.`

/** Parses the command's arguments: the alert to announce, or null to remove it. */
export function readAnnouncement(words: string[]): UpdateAlertInput | null {
  const { values, positionals } = parse(words)
  if (values.remove) {
    if (positionals.length > 0 || Object.keys(values).length > 1) throw new AnnouncementRejected(announceUsage)
    return null
  }
  const [when, ...rest] = positionals
  if (!when || rest.length > 0) throw new AnnouncementRejected(announceUsage)
  const result = updateAlertInput.safeParse({
    next_update: readInstant(when),
    message: values.message,
    message_en: values['message-en'],
    public: values.public,
    duration_minutes: Number(values.duration ?? defaultDuration),
    elements: (values.element ?? []).map(readElement),
  })
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new AnnouncementRejected(
    issue?.path[0] === 'duration_minutes'
      ? `--duration is not valid: expected a number of minutes from 1 to 1440.`
      : issue?.path[0] === 'elements'
        ? `--element is not valid: expected the number of a network, a colon and the name of a component, such as 3:Fibre.`
        : `${String(issue?.path[0])} is not valid: ${issue?.message}.`,
  )
}

/**
 * Announces through the product that runs on this machine, so that everybody is notified at once; where none runs, in its
 * database. Returns the message for the user.
 */
export async function announce(config: Config, input: UpdateAlertInput | null, nameElements: NameElements): Promise<string> {
  if (await callRunningServer(config, input)) return describeResult(input)
  const database = await openDatabase(config).catch((error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error
    throw new AnnouncementRejected(
      `The server is running, but not at ${ownAddress(config)}. Run the command with the same HOST and PORT.`,
    )
  })
  try {
    await prepareDatabase(database.db, config)
    const context = { db: database.db, events: createEvents(), nameElements }
    if (input) await setUpdateAlert(context, announceAuthor, input)
    else await removeUpdateAlert(context, announceAuthor)
    return `${describeResult(input)}\nNothing answers at ${ownAddress(config)}: servers elsewhere notice within seconds, others when they start.`
  } catch (error) {
    if (error instanceof Problem) throw refusedBy(error.message, error.errors)
    throw error
  } finally {
    await database.close()
  }
}

function parse(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        message: { type: 'string' },
        'message-en': { type: 'string' },
        public: { type: 'boolean' },
        duration: { type: 'string' },
        element: { type: 'string', multiple: true },
        remove: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new AnnouncementRejected(`${(error as Error).message}\n${announceUsage}`)
  }
}

function readElement(word: string) {
  const [, id, nom] = /^(\d+):(.*)$/s.exec(word) ?? []
  return { id_reseau: Number(id), nom: nom?.trim() }
}

function readInstant(when: string) {
  if (/(Z|[+-]\d\d:\d\d)$/.test(when)) return when
  const instant = parseLocalTime(zone, when)
  if (!instant) throw new AnnouncementRejected(`"${when}" is not a valid time in ${zone}.\n${announceUsage}`)
  return instant.toISOString()
}

/** False where nothing responds. */
async function callRunningServer(config: Config, input: UpdateAlertInput | null) {
  const path = '/api/updates/announcement'
  const signed = input ? ({ method: 'PUT', path, body: input } as const) : ({ method: 'DELETE', path } as const)
  const response = await sendCommand(config, announceCommand, { ...signed, signal: AbortSignal.timeout(10_000) }).catch(
    () => null,
  )
  if (!response) return false
  if (response.ok) return true
  if (response.status === 401 || response.status === 404) {
    throw new AnnouncementRejected(`The server at ${ownAddress(config)} is not Guichet, or uses another DATA_DIR or secret.`)
  }
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; errors?: Problem['errors'] }
  throw refusedBy(problem.detail ?? `HTTP ${response.status}`, problem.errors)
}

function refusedBy(detail: string, errors: Problem['errors']) {
  return new AnnouncementRejected([detail, ...(errors ?? []).map(({ path, message }) => `${path}: ${message}`)].join('\n'))
}

function describeResult(input: UpdateAlertInput | null) {
  if (!input) return 'The update alert has been removed.'
  const when = localTime(zone, new Date(input.next_update)).replace('T', ' at ')
  return `The next update is announced: ${when} (${zone}), ${input.duration_minutes} minutes${input.public ? ', to visitors too' : ''}.`
}
