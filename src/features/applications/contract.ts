import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import {
  email as emailAddress,
  entryVersion,
  id,
  idParam,
  isoDateTime,
  limits,
  requiredLine,
  text,
  visitSource,
} from '#src/lib/schemas.ts'
import { messageMax } from '#src/features/requests/form-values.ts'
import { traps } from '#src/features/requests/values.ts'
import { applicationStatuses, storedApplicationStatuses } from './values.ts'

function readSource(given: unknown) {
  try {
    return visitSource.safeParse(JSON.parse(String(given))).data ?? null
  } catch {
    return null
  }
}

/** `POST /public_api/jobs/:id/applications`, multipart: these fields, and the files as `files`. */
export const applicationInput = z.strictObject({
  /** Stays empty: only a robot fills it. */
  honey: text(messageMax).default(''),
  username: text(messageMax).default(''),
  language: z.enum(languages).optional(),
  /** When the form was shown, signed by the server. */
  shown_at: text(100).optional(),
  /** Made with the form: sent twice with the same content, it is one application. */
  client_id: z.uuid().toLowerCase().optional(),
  firstname: requiredLine(limits.name),
  lastname: requiredLine(limits.name),
  email: requiredLine(limits.email).pipe(emailAddress),
  phone: requiredLine(limits.phone),
  message: text(messageMax).default(''),
  /** Where the first page of the visitor's tab was opened from, as JSON; what is none of it is left out. */
  source: z.preprocess(readSource, visitSource.nullable()).optional(),
})
export type ApplicationInput = z.infer<typeof applicationInput>

export const applicationParams = z.strictObject({ id: idParam })
export const applicationFileParams = z.strictObject({ id: idParam, file: idParam })
export const applicationReceipt = z.object({ reference: z.string() })

export const applicationQuery = z.strictObject({
  status: z.enum(storedApplicationStatuses).optional(),
  job: idParam.optional(),
  /** A part of a name, an address or a number. */
  search: text(limits.name).optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
})
export type ApplicationQuery = z.infer<typeof applicationQuery>
export const applicationExportQuery = applicationQuery.omit({ page: true }).extend({ language: z.enum(languages).default('fr') })

export const applicationSummary = z.object({
  id_application: id,
  reference: z.string(),
  /** Null once the posting was deleted. */
  id_emploi: id.nullable(),
  job_title: z.string(),
  status: z.enum(storedApplicationStatuses),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  language: z.enum(languages),
  file_count: z.int(),
  source: visitSource.nullable(),
  created_at: isoDateTime,
})
export type ApplicationSummary = z.infer<typeof applicationSummary>

export const application = applicationSummary.extend({
  message: z.string(),
  /** For the staff alone. */
  note: z.string(),
  trap: z.enum(traps).nullable(),
  files: z.array(z.object({ id_file: id, name: z.string(), size: z.int() })),
  /** When retention erases it. */
  erased_on: isoDateTime,
  version: z.int(),
})
export type Application = z.infer<typeof application>

export const applicationChange = z.strictObject({
  status: z.enum(applicationStatuses).optional(),
  note: text(limits.text).optional(),
  version: entryVersion,
})
export type ApplicationChange = z.infer<typeof applicationChange>
