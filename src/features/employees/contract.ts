import { z } from 'zod'
import { photoKey } from '#src/lib/image-sizes.ts'
import {
  email,
  englishOlder,
  englishReviewed,
  entryVersion,
  id,
  limits,
  publicationFields,
  requiredLine,
  requiredText,
  text,
} from '#src/lib/schemas.ts'
import { photoMaxBytes } from '#src/features/content/values.ts'
import { departments } from './values.ts'

const department = z.enum(departments)
/** Address of a stored photo; a new one is sent as `new_photo`. */
const storedPhoto = text(200).refine((address) => photoKey(address) !== null, 'not a photo of this product')

const fields = z.strictObject({
  nom: requiredLine(limits.name),
  departement: department,
  sousdepartement: department,
  titre: requiredLine(limits.title),
  titre_en: requiredLine(limits.title),
  email,
  description: requiredText(limits.text),
  description_en: requiredText(limits.text),
  publie: publicationFields.publie,
})

/** All fields are required. A new photo is sent as a data URL with its file name. */
export const employeeInput = fields.extend({
  photo: storedPhoto.nullable().optional(),
  new_photo_path: text(1_000).optional(),
  new_photo: z
    .string()
    .max(photoMaxBytes * 1.5)
    .optional(),
  english_reviewed: englishReviewed,
  version: entryVersion,
})
export type EmployeeInput = z.infer<typeof employeeInput>

export const employee = fields.extend({
  id_employe: id,
  photo: z.string().nullable(),
  english_older: englishOlder,
  version: z.int(),
})
export type Employee = z.infer<typeof employee>

const value = text(limits.email)
const condition = z.union([value, z.strictObject({ neq: value })])

/** `where` of the list: equal or not equal, on three fields. */
export const employeeFilter = z.strictObject({
  email: condition.optional(),
  departement: condition.optional(),
  sousdepartement: condition.optional(),
})
export type EmployeeFilter = z.infer<typeof employeeFilter>
