import { z } from 'zod'
import { id, idParam, text } from '#src/lib/schemas.ts'
import { importStates, uploadsChoice } from './values.ts'

const label = z.object({ fr: z.string(), en: z.string() })
const counts = z.record(z.string(), z.int())

/** Where each column or category goes: the name here, and what it is called in the file. */
export const importMap = z
  .record(z.string().max(200), z.string().max(500))
  .refine((map) => Object.keys(map).length <= 500, 'too many')
/** As the API takes it: a folder of the server is for its command alone. */
const givenMap = importMap.refine((map) => !(uploadsChoice in map), 'unknown choice')
export const importParams = z.strictObject({ id: idParam })
export const importChange = z.strictObject({ map: givenMap })
export const kindParams = z.strictObject({ kind: z.string().max(40) })
export const importQuery = z.strictObject({ page: idParam.default(1) })

export const importKind = z.object({
  kind: z.string(),
  label,
  hint: label,
  accept: z.string(),
  /** False where the caller lacks a right that it needs. */
  may_import: z.boolean(),
  /** The mailbox of the server can be chosen in place of a file. */
  has_mailbox: z.boolean(),
})
export type ImportKind = z.infer<typeof importKind>

export const importFolders = z.array(z.object({ name: z.string(), count: z.int() }))
export type ImportFolders = z.infer<typeof importFolders>

/** An entry before and after; `reason` where it is refused. */
const previewEntry = z.object({
  at: z.string(),
  name: z.string(),
  area: z.string(),
  outcome: z.enum(['created', 'updated', 'known', 'refused']),
  before: z.array(z.object({ label: z.string(), text: z.string() })),
  after: z.array(z.object({ label, text: z.string() })),
})
export type PreviewEntry = z.infer<typeof previewEntry>

const refusedEntry = z.object({ at: z.string(), name: z.string(), reason: z.string(), reason_fr: z.string() })

/** The five figures add up to `total`; `refused` lists the first ones, `refused_total` counts all. */
export const importResult = z.object({
  id_import: id,
  kind: z.string(),
  label,
  file: z.string(),
  source: z.string(),
  dry_run: z.boolean(),
  created: counts,
  updated: counts,
  known: z.int(),
  left_out: counts,
  refused: z.array(refusedEntry),
  refused_total: z.int(),
  state: z.enum(importStates),
  done: z.int(),
  total: z.int(),
  /** Names of what is written, by area. */
  areas: z.array(z.object({ area: z.string(), label, path: z.string().nullable() })),
  by: z.string(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  undo_until: z.string().nullable(),
  /** What an undo left: edited since, or known before. */
  left: z.int().nullable(),
  /** The first of them, as they are called now; `reason` where no undo takes them away. */
  left_entries: z.array(
    z.object({
      area: z.string(),
      name: z.string(),
      label: label.nullable(),
      path: z.string().nullable(),
      reason: label.nullable(),
    }),
  ),
  error: label.nullable(),
})
export type ImportResult = z.infer<typeof importResult>

/** With what the assistant shows before the import. */
export const importDetail = importResult.extend({
  map: importMap,
  /** What the map may name: columns here with those of the file, or categories of the file with where they may go. */
  choices: z.array(z.object({ name: z.string(), label, is_required: z.boolean(), count: z.int().nullable() })),
  options: z.array(z.object({ value: z.string(), label })),
  preview: z.array(previewEntry),
})
export type ImportDetail = z.infer<typeof importDetail>

/** Fields of the form beside the file. */
export const importForm = z.strictObject({
  kind: z.string().max(40),
  map: z
    .string()
    .max(200_000)
    .transform((value, context) => {
      try {
        return givenMap.parse(JSON.parse(value))
      } catch {
        context.addIssue({ code: 'custom', message: 'an object of names' })
        return z.NEVER
      }
    })
    .optional(),
  as: z.string().max(40).optional(),
  source: text(500).optional(),
  /** A folder of the server's mailbox, in place of the file. */
  folder: text(190).optional(),
  staff: text(500).optional(),
  /** Pictures of the pages are fetched from their addresses. */
  fetch: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
})
