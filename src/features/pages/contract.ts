import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'

/** Names of the long texts in `company/texts`. */
export const pageTextNames = [
  'about',
  'cloud',
  'service',
  'programmation',
  'infrastructure',
  'privacy',
  'way_of_life',
  'support',
  'telecom_docs',
  'contact',
] as const
/** These exist in French only. */
export const tutorialTextNames = [
  'phone_tutorial',
  'portal_personnal_tutorial',
  'soft_phone_tutorial',
  'soft_phone_cell_tutorial',
] as const
export const textNames = [...pageTextNames, ...tutorialTextNames] as const

export type TutorialName = (typeof tutorialTextNames)[number]
export type TextName = (typeof textNames)[number]

const bilingual = z.object({ fr: z.string(), en: z.string() })
const language = z.enum(languages)

export const textParams = z.strictObject({ name: z.enum(textNames) })
export const textQuery = z.strictObject({ lang: language.default('fr') })
/** `language` is that of the text: a tutorial is French in both languages. */
export const pageText = z.object({
  name: z.enum(textNames),
  language,
  title: z.string(),
  description: z.string(),
  lead: z.string(),
  html: z.string(),
  sections: z.array(z.object({ id: z.string(), title: z.string() })),
})
export type PageText = z.infer<typeof pageText>

/** `href` is null while the file is missing in the data folder; `size` and `sha256` are null for external files. */
export const offeredFile = z.object({
  id: z.string(),
  use: z.enum(['remote_assistance', 'softphone']),
  platform: z.enum(['windows', 'mac']),
  label: bilingual,
  href: z.string().nullable(),
  external: z.boolean(),
  size: z.int().nullable(),
  sha256: z.string().nullable(),
})
export type OfferedFile = z.infer<typeof offeredFile>

const poster = z.string().nullable()
const shownVideo = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), src: z.string(), type: z.string(), captions: z.string().nullable(), poster }),
  z.object({ kind: z.literal('embed'), url: z.string(), poster }),
])
/** `video` is null while the file is missing in the data folder; the page then shows the written steps only. */
export const shownTutorial = z.object({ name: z.enum(tutorialTextNames), title: bilingual, video: shownVideo.nullable() })
export type ShownTutorial = z.infer<typeof shownTutorial>
export type ShownVideo = z.infer<typeof shownVideo>

export const scene = z.object({ picture: z.string(), caption: bilingual, description: bilingual })
export type Scene = z.infer<typeof scene>

export const mapSettings = z.object({
  tilesUrl: z.string().nullable(),
  attribution: z.string(),
  zoom: z.int(),
  directionsUrl: z.string(),
})
export type MapSettings = z.infer<typeof mapSettings>
