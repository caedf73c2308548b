import { z } from 'zod'
import { entryVersion, id, limits, richText, text } from '#src/lib/schemas.ts'

const title = text(limits.title).default('')

/** The red banner; `title` is optional (spec.md 3). */
const messageFields = z.strictObject({ message: richText, message_en: richText.default(''), title, title_en: title })
export const homeMessageInput = messageFields.extend({ version: entryVersion })
export type HomeMessageInput = z.infer<typeof homeMessageInput>
export const homeMessage = messageFields.extend({ id_home_message: id, version: z.int() })
export type HomeMessage = z.infer<typeof homeMessage>

const informationFields = z.strictObject({ title, title_en: title, description: richText, description_en: richText.default('') })
export const homeInformationInput = informationFields.extend({ version: entryVersion })
export type HomeInformationInput = z.infer<typeof homeInformationInput>
export const homeInformation = informationFields.extend({ id_home_information: id, version: z.int() })
export type HomeInformation = z.infer<typeof homeInformation>
