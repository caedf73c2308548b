import { z } from 'zod'
import {
  closesLater,
  closesTooEarly,
  englishOlder,
  englishReviewed,
  entryStates,
  entryVersion,
  inputDateTimes,
  id,
  limits,
  publicationFields,
  richText,
  text,
} from '#src/lib/schemas.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'

const title = text(limits.title).default('')

/** The red banner; `title` is optional. */
const html = richText.default('')
const messageFields = z.strictObject({ message: html, message_en: html, title, title_en: title, ...publicationFields })
export const homeMessageInput = messageFields
  .extend({ version: entryVersion, english_reviewed: englishReviewed, ...inputDateTimes })
  .refine(closesLater, closesTooEarly)
export type HomeMessageInput = z.infer<typeof homeMessageInput>
export const homeMessage = messageFields.extend({
  id_home_message: id,
  state: z.enum(entryStates),
  english_older: englishOlder,
  version: z.int(),
})
export type HomeMessage = z.infer<typeof homeMessage>

const informationFields = z.strictObject({
  title,
  title_en: title,
  description: html,
  description_en: html,
  ...publicationFields,
})
export const homeInformationInput = informationFields
  .extend({ version: entryVersion, english_reviewed: englishReviewed, ...inputDateTimes })
  .refine(closesLater, closesTooEarly)
export type HomeInformationInput = z.infer<typeof homeInformationInput>
export const homeInformation = informationFields.extend({
  id_home_information: id,
  state: z.enum(entryStates),
  english_older: englishOlder,
  version: z.int(),
})
export type HomeInformation = z.infer<typeof homeInformation>

type Banner = Pick<HomeMessageInput, 'message' | 'title' | 'title_en'>
type Panel = Pick<HomeInformationInput, 'title' | 'description' | 'description_en'>

/** Why a banner stays a draft whatever was chosen; null where it may be published. French comes first. */
export function reasonForDraftBanner({ message, title, title_en }: Banner) {
  if (isBlankHtml(message)) return 'text'
  return title.trim() === '' && title_en.trim() !== '' ? 'title' : null
}

/** The same for the information panel, whose title names it. */
export function reasonForDraftPanel({ title, description, description_en }: Panel) {
  if (title.trim() === '') return 'title'
  return isBlankHtml(description) && !isBlankHtml(description_en) ? 'text' : null
}

declare module '#src/features/content/counter/contract.ts' {
  interface CounterFacts {
    /** The emergency banner that visitors see; null while there is none. */
    banner: HomeMessage | null
  }
}
