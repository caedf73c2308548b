import { z } from 'zod'
import { entryVersion, id, limits, text } from '#src/lib/schemas.ts'
import { detailStatuses, networkStates } from './values.ts'

export const networkDetail = z.strictObject({
  nom: text(limits.name),
  nom_en: text(limits.name).default(''),
  statut: z.enum(detailStatuses),
})
export type NetworkDetail = z.infer<typeof networkDetail>

const detailsList = z.array(networkDetail).max(100)

/** `details` travels as text, both ways. */
const detailsText = text(limits.richText).refine((value) => parses(value), 'a JSON list of {nom, nom_en, statut}')

/** Nothing is required. */
export const networkInput = z.strictObject({
  nom: text(limits.name).default(''),
  status: z.enum(networkStates).default(''),
  details: detailsText.default('[]'),
  version: entryVersion,
})
export type NetworkInput = z.infer<typeof networkInput>

export const network = z.object({
  id_reseau: id,
  nom: z.string(),
  status: z.enum(networkStates),
  details: z.string(),
  version: z.int(),
})
export type Network = z.infer<typeof network>

/** Reads the text of `details`; throws where it is not such a list. */
export function parseDetails(details: string): NetworkDetail[] {
  return detailsList.parse(JSON.parse(details))
}

function parses(details: string) {
  try {
    return detailsList.safeParse(JSON.parse(details)).success
  } catch {
    return false
  }
}
