import { z } from 'zod'
import { entryVersion, id, idParam, text } from '#src/lib/schemas.ts'
import { addressMax, isTarget, parseFrom, redirectStates, redirectStatuses } from './values.ts'

const status = z.union(
  redirectStatuses.map((one) => z.literal(one)),
  'choice',
)

export const redirectInput = z
  .strictObject({
    from: text(addressMax)
      .overwrite((value) => value.trim())
      .refine((value) => parseFrom(value) !== null, 'a path of this site that begins with /'),
    to: text(addressMax)
      .overwrite((value) => value.trim())
      .nullable()
      .default(null),
    status: status.default(301),
    version: entryVersion,
  })
  .superRefine(({ to, status: code }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message })
    if (code === 410) {
      if (to !== null) refuse('an address that is gone leads nowhere')
    } else if (to === null || to === '') refuse('required')
    else if (!isTarget(to)) refuse('a path of this site or an https address')
  })
export type RedirectInput = z.infer<typeof redirectInput>

export const redirect = z.object({
  id_redirect: id,
  from: z.string(),
  to: z.string().nullable(),
  status,
  hits: z.int(),
  last_hit: z.string().nullable(),
  state: z.enum(redirectStates),
  version: z.int(),
})
export type Redirect = z.infer<typeof redirect>

export const redirectQuery = z.strictObject({
  q: text(addressMax).default(''),
  state: z.enum(['all', 'broken', 'waiting', 'unused']).default('all'),
  page: idParam.default(1),
})
export const idParams = z.strictObject({ id: idParam })

/** How many redirects are in each state; `unused` was never visited. */
export const redirectCounts = z.object({ all: z.int(), broken: z.int(), waiting: z.int(), unused: z.int() })
export type RedirectCounts = z.infer<typeof redirectCounts>

export const missingAddress = z.object({ path: z.string(), count: z.int(), last: z.string(), scanner: z.boolean() })
export type MissingAddress = z.infer<typeof missingAddress>

export const missingInput = z.strictObject({ path: text(addressMax).min(1), ignored: z.boolean() })

/** A page of the site that a redirect may lead to. */
export const target = z.object({ title: z.string(), path: z.string(), published: z.boolean() })
export type Target = z.infer<typeof target>

export const targetQuery = z.strictObject({ q: text(addressMax).default(''), language: z.enum(['fr', 'en']).default('fr') })
export const suggestionQuery = z.strictObject({ path: text(addressMax) })

export const tryQuery = z.strictObject({ address: text(2 * addressMax), language: z.enum(['fr', 'en']).default('fr') })
/** What a visitor of an address gets. `page`: the product answers. `none`: nothing does. */
export const tried = z.object({
  result: z.enum(['page', 'redirect', 'gone', 'waiting', 'none']),
  status: z.int(),
  location: z.string().nullable(),
  /** Title of the page that it leads to, where it has one. */
  title: z.string().nullable(),
  broken: z.boolean(),
  steps: z.array(z.object({ id_redirect: id, from: z.string(), to: z.string().nullable() })),
})
export type Tried = z.infer<typeof tried>
