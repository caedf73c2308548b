import { z } from 'zod'
import { englishOlder, englishReviewed, entryVersion, id, limits, requiredLine, text } from '#src/lib/schemas.ts'

const fields = z.strictObject({
  name: requiredLine(limits.name),
  name_en: text(limits.name).default(''),
  description: text(limits.text).default(''),
  description_en: text(limits.text).default(''),
})

export const gadgetInput = fields.extend({ version: entryVersion, english_reviewed: englishReviewed })
export type GadgetInput = z.infer<typeof gadgetInput>
export const gadget = fields.extend({ id_gadget: id, created_at: z.string(), english_older: englishOlder, version: z.int() })
export type Gadget = z.infer<typeof gadget>
