import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import type { Pair } from '#src/lib/language/english-older.ts'
import {
  englishOlder,
  englishReviewed,
  entryVersion,
  id,
  idParam,
  limits,
  requiredLine,
  requiredText,
  text,
} from '#src/lib/schemas.ts'

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
  'accessibility',
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

export const isTutorial = (name: TextName): name is TutorialName => (tutorialTextNames as readonly TextName[]).includes(name)

/** The page of each long text. */
export const textPaths: Record<TextName, string> = {
  about: '/about',
  cloud: '/cloud',
  service: '/service',
  programmation: '/programmation',
  infrastructure: '/infrastructure',
  privacy: '/about/personal_information',
  way_of_life: '/wayOfLife',
  support: '/support',
  telecom_docs: '/telecom/docs',
  contact: '/contact',
  accessibility: '/about/accessibility',
  phone_tutorial: '/telecom/phone_tutorial',
  portal_personnal_tutorial: '/telecom/portal_personnal_tutorial',
  soft_phone_tutorial: '/telecom/soft_phone_tutorial',
  soft_phone_cell_tutorial: '/telecom/soft_phone_cell_tutorial',
}

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

export const policyQuery = z.strictObject({ lang: language.default('fr'), version: idParam.optional() })
/** A wording of the policy; `until` is null for the one in force, and `versions` are all there were, the newest first. */
const policyVersion = z.object({ id_version: id, since: z.string(), until: z.string().nullable() })
export type PolicyVersion = z.infer<typeof policyVersion>
export const policyPage = z.object({ text: pageText, shown: policyVersion.nullable(), versions: z.array(policyVersion) })
export type PolicyPage = z.infer<typeof policyPage>

/** French fields of a long text with their English. */
export const longTextPairs = [
  ['titre', 'titre_en'],
  ['description', 'description_en'],
  ['introduction', 'introduction_en'],
  ['texte', 'texte_en'],
] as const satisfies readonly Pair[]

const introductionMax = 500
const descriptionMax = 200
const englishLine = (max: number) =>
  text(max)
    .refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'one line only')
    .default('')
const textFields = {
  titre: requiredLine(limits.title),
  titre_en: englishLine(limits.title),
  /** For search engines. */
  description: requiredLine(descriptionMax),
  description_en: englishLine(descriptionMax),
  introduction: requiredLine(introductionMax),
  introduction_en: englishLine(introductionMax),
  /** Markdown, as in `company/texts`. */
  texte: requiredText(limits.richText),
  texte_en: text(limits.richText).default(''),
}

/** `PUT /api/site/long_texts/:id`. A tutorial has no English; the other texts need theirs, as their files do. */
export const longTextInput = z
  .strictObject({ name: z.enum(textNames), ...textFields, version: entryVersion, english_reviewed: englishReviewed })
  .superRefine((given, context) => {
    if (isTutorial(given.name)) return
    for (const [, path] of longTextPairs)
      if (given[path].trim() === '') context.addIssue({ code: 'custom', path: [path], message: 'required' })
  })
export type LongTextInput = z.infer<typeof longTextInput>

/** `is_default`: nothing was changed here, the file in `company/texts` is shown. */
export const longText = z.object({
  id_text: id,
  name: z.enum(textNames),
  path: z.string(),
  ...textFields,
  is_default: z.boolean(),
  english_older: englishOlder,
  updated_at: z.string(),
  version: z.int(),
})
export type LongText = z.infer<typeof longText>

/** The text of the file, and what can be written for a value of the company: `{phone}`, with what it stands for now. */
export const longTextHelp = z.object({
  supplied: z.object(textFields),
  placeholders: z.array(z.object({ name: z.string(), value: bilingual })),
})
export type LongTextHelp = z.infer<typeof longTextHelp>

/** A text as its page will show it; null where it has no English. */
export const renderedTexts = z.object({ fr: pageText.nullable(), en: pageText.nullable() })
export type RenderedTexts = z.infer<typeof renderedTexts>

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
  z.object({
    kind: z.literal('file'),
    src: z.string(),
    type: z.string(),
    captions: z.string().nullable(),
    poster,
    /** Since when the file is there, an ISO date-time. */
    uploaded_at: z.string(),
  }),
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
