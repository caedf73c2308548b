import { z } from 'zod'

/** Tutorials, downloads, scenes and map of a company. Server only, so that public pages do not load it. */
const bilingual = z.strictObject({ fr: z.string().min(1), en: z.string().min(1) })
const secureLink = z.url({ protocol: /^https$/ })
/** A plain file name, so that no address built from it can leave its folder. */
const fileName = (endings: string) => z.string().regex(new RegExp(`^[A-Za-z\\d][\\w.-]{0,120}\\.(${endings})$`))

export const tutorialNames = [
  'phone_tutorial',
  'portal_personnal_tutorial',
  'soft_phone_tutorial',
  'soft_phone_cell_tutorial',
] as const

const poster = fileName('avif|webp|jpg|jpeg|png|svg').optional()
const video = z.discriminatedUnion('kind', [
  /** A file of `DATA_DIR/videos`, with its captions and its still picture beside it. */
  z.strictObject({ kind: z.literal('file'), file: fileName('mp4|webm'), captions: fileName('vtt'), poster }),
  /** A player of another site; nothing is requested from it before the visitor presses play. */
  z.strictObject({ kind: z.literal('embed'), url: secureLink, poster }),
])

const tutorial = z.strictObject({ name: z.enum(tutorialNames), title: bilingual, video })

const downloadFields = {
  id: z.string().regex(/^[a-z\d-]{1,60}$/),
  use: z.enum(['remote_assistance', 'softphone']),
  platform: z.enum(['windows', 'mac']),
  label: bilingual,
}
/** `file` is in `DATA_DIR/downloads`; `url` leads to the publisher's own site. */
const download = z.union([
  z.strictObject({ ...downloadFields, file: fileName('exe|msi|msix|zip|dmg|pkg') }),
  z.strictObject({ ...downloadFields, url: secureLink }),
])

const scene = z.strictObject({
  /** A file of `company/photos`, or else one of the product's own illustrations. */
  picture: fileName('avif|webp|jpg|jpeg|png|svg'),
  caption: bilingual,
  /** Alternative text. */
  description: bilingual,
})

export const companyMediaSchema = z.strictObject({
  tutorials: z
    .array(tutorial)
    .refine(
      (list) => tutorialNames.every((name) => list.filter((one) => one.name === name).length === 1),
      'each of the four tutorials once',
    ),
  downloads: z.array(download).refine((list) => new Set(list.map((one) => one.id)).size === list.length, 'each id once'),
  wayOfLife: z.array(scene).length(10),
  map: z.strictObject({
    /** `{latitude}` and `{longitude}` stand for those of the address. */
    directionsUrl: z.string().regex(/^https:\/\/.+\{latitude\}.+\{longitude\}/),
    /** Attribution that the tile provider requires. */
    attribution: z.string(),
    zoom: z.int().min(3).max(19),
  }),
})

export type CompanyMedia = z.infer<typeof companyMediaSchema>
export type Tutorial = CompanyMedia['tutorials'][number]
export type Download = CompanyMedia['downloads'][number]
