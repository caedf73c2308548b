import { z } from 'zod'
import { id, limits, richText, text } from '#src/lib/schemas.ts'

const title = text(limits.title).default('')

export const homeMessageInput = z.strictObject({ message: richText, message_en: richText.default(''), title, title_en: title })
export type HomeMessageInput = z.infer<typeof homeMessageInput>
export const homeMessage = homeMessageInput.extend({ id_home_message: id })
export type HomeMessage = z.infer<typeof homeMessage>

export const homeInformationInput = z.strictObject({ title, title_en: title, description: richText, description_en: richText.default('') })
export type HomeInformationInput = z.infer<typeof homeInformationInput>
export const homeInformation = homeInformationInput.extend({ id_home_information: id })
export type HomeInformation = z.infer<typeof homeInformation>
