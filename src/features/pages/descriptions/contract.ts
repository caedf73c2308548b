import { z } from 'zod'
import { isArticlePicture } from '#src/lib/image-sizes.ts'
import { text } from '#src/lib/schemas.ts'

const line = (max: number) =>
  text(max)
    .overwrite((value) => value.trim())
    .refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'one line only')
    .default('')

const fields = {
  title: line(300),
  title_en: line(300),
  description: line(500),
  description_en: line(500),
  /** Address of a stored picture of 1200 by 630 pixels; empty: the page's own. */
  picture: z
    .string()
    .refine((value) => value === '' || isArticlePicture(value), 'not a picture of this product')
    .default(''),
}

export const pageKey = z.string().regex(/^[\w-]{1,100}(\.[\w-]{1,200}){0,5}$/)
export const pageParams = z.strictObject({ key: pageKey })

/** `PUT /api/pages/:key`: an empty field leaves the page's own text. */
export const descriptionInput = z.strictObject({ ...fields, version: z.int().min(0).optional() })
export type DescriptionInput = z.infer<typeof descriptionInput>

const shownTags = z.object({ title: z.string(), description: z.string(), picture: z.string() })
/** What search results and shared links show of a page. */
export type ShownTags = z.infer<typeof shownTags>

/** `supplied`: the page's own title, description and picture in each language; null where it is not public. */
export const pageDescription = z.object({
  key: z.string(),
  path: z.string(),
  ...fields,
  version: z.int(),
  supplied: z.object({ fr: shownTags.nullable(), en: shownTags.nullable() }),
})
export type PageDescription = z.infer<typeof pageDescription>

/** `has_own`: staff wrote something for it. */
export const listedPage = z.object({
  key: z.string(),
  path: z.string(),
  title: z.object({ fr: z.string(), en: z.string() }),
  has_own: z.boolean(),
})
export type ListedPage = z.infer<typeof listedPage>

export const sharePicture = z.object({ url: z.string(), width: z.int(), height: z.int() })
export type SharePicture = z.infer<typeof sharePicture>
