import { z } from 'zod'
import { entryVersion, id, limits, requiredText } from '#src/lib/schemas.ts'
import { levels } from '#src/lib/rights.ts'

export const rightsSchema = z.record(z.string(), z.enum(levels))

const groupFields = z.strictObject({
  name: requiredText(limits.name),
  enabled: z.boolean().default(true),
  requires_totp: z.boolean().default(false),
  /** By area; one that is not named is `none`. */
  rights: rightsSchema,
})

export const groupInput = groupFields.extend({ version: entryVersion })
export type GroupInput = z.infer<typeof groupInput>

export const group = groupFields.extend({ id_group: id, rights: rightsSchema, user_count: z.int(), version: z.int() })
export type Group = z.infer<typeof group>
