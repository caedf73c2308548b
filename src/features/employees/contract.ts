import { z } from 'zod'
import { email, entryVersion, id, limits, requiredText, text } from '#src/lib/schemas.ts'
import { departments } from './values.ts'

const department = z.enum(departments)

const fields = z.strictObject({
  nom: requiredText(limits.name),
  departement: department,
  sousdepartement: department,
  titre: requiredText(limits.title),
  titre_en: requiredText(limits.title),
  email,
  description: requiredText(limits.text),
  description_en: requiredText(limits.text),
})

/** All fields are required (spec.md 5). A new photo comes as a data URL beside its file name. */
export const employeeInput = fields.extend({
  photo: text(200).nullable().optional(),
  new_photo_path: text(1_000).optional(),
  new_photo: z.string().max(11_500_000).optional(),
  version: entryVersion,
})
export type EmployeeInput = z.infer<typeof employeeInput>

export const employee = fields.extend({ id_employe: id, photo: z.string().nullable(), version: z.int() })
export type Employee = z.infer<typeof employee>

const condition = z.union([text(limits.name), z.strictObject({ neq: text(limits.name) })])

/** `where` of the list: equal or not equal, on three fields (contract.md 3). */
export const employeeFilter = z.strictObject({
  email: condition.optional(),
  departement: condition.optional(),
  sousdepartement: condition.optional(),
})
export type EmployeeFilter = z.infer<typeof employeeFilter>
