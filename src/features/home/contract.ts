import { z } from 'zod'
import { englishOlder, englishReviewed, entryVersion, id, limits, richText, text } from '#src/lib/schemas.ts'

const title = text(limits.title).default('')

/** The red banner; `title` is optional. */
const html = richText.default('')
const messageFields = z.strictObject({ message: html, message_en: html, title, title_en: title })
export const homeMessageInput = messageFields.extend({ version: entryVersion, english_reviewed: englishReviewed })
export type HomeMessageInput = z.infer<typeof homeMessageInput>
export const homeMessage = messageFields.extend({ id_home_message: id, english_older: englishOlder, version: z.int() })
export type HomeMessage = z.infer<typeof homeMessage>

const informationFields = z.strictObject({ title, title_en: title, description: html, description_en: html })
export const homeInformationInput = informationFields.extend({ version: entryVersion, english_reviewed: englishReviewed })
export type HomeInformationInput = z.infer<typeof homeInformationInput>
export const homeInformation = informationFields.extend({
  id_home_information: id,
  english_older: englishOlder,
  version: z.int(),
})
export type HomeInformation = z.infer<typeof homeInformation>

declare module '#src/features/content/counter/contract.ts' {
  interface CounterFacts {
    /** The emergency banner that visitors see; null while there is none. */
    banner: HomeMessage | null
  }
}
