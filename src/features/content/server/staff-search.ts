import { z } from 'zod'
import { pathOfEntry } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages } from '#src/lib/language/language.ts'
import type { Area, Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { FoundEntry } from '#src/lib/schemas.ts'
import { foundEntry } from '#src/lib/schemas.ts'
import { trimInvisible } from '#src/lib/text/plain-text.ts'
import { createSearch, sameUrl } from '#src/server/search/search.ts'
import type { SearchSource } from '#src/server/search/search.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { AnyContent } from './content.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What somebody with these rights finds among the edited content, drafts included, best first. */
    staffSearch: ReturnType<typeof createStaffSearch>
  }
}

const shortest = 2
const longest = 200
const perMinute = { points: 240, seconds: 60 }

const query = z.strictObject({
  q: z.string().default(''),
  language: z.enum(languages).default('fr'),
  limit: z
    .string()
    .regex(/^(?:[1-9]|[1-4]\d|50)$/, 'a number from 1 to 50')
    .transform(Number)
    .default(20),
  /** Only what belongs to this area. */
  area: z.string().max(40).optional(),
})

const keyOf = (content: AnyContent, id: number) => `${content.area}/${content.kind ?? ''}/${id}`

/** Edited content with its drafts: only what changed is read again. */
const sourceOf = (content: AnyContent): SearchSource => ({
  areas: [content.area],
  isUnannounced: content.isInternal,
  async findStamps({ db }) {
    return new Map((await content.findVersions(db)).map(({ id, version }) => [keyOf(content, id), String(version)]))
  },
  async load({ db }, keys) {
    const ids = keys.map((key) => Number(key.slice(key.lastIndexOf('/') + 1)))
    return (await content.findWords(db, ids)).map(({ id, title, text, words }) => ({
      key: keyOf(content, id),
      kind: content.area,
      title,
      text: { fr: joinTexts(text.fr, words), en: joinTexts(text.en || text.fr, words) },
      url: sameUrl(''),
    }))
  },
})

const joinTexts = (...texts: string[]) => texts.filter(Boolean).join('\n')

type Wanted = { text: string; language: Language; limit: number; area?: string | undefined }
/** With `isPerArea` the limit is that of each area; with `isWhole` each word must match. */
type Ways = { isFuzzy?: boolean; isPerArea?: boolean; isWhole?: boolean }

/** Finds edited content with its drafts for somebody with these rights. The index is built at the first search. */
export function createStaffSearch(app: App, pairsFrom: readonly SearchSource[]) {
  const { contents } = app
  const index = createSearch(app, contents.map(sourceOf), pairsFrom)
  return async (rights: Rights, { text: asked, language, limit, area }: Wanted, ways: Ways = {}): Promise<FoundEntry[]> => {
    const text = trimInvisible(asked)
    if (text.length < shortest || text.length > longest) return []
    const isWanted = (kind: string) => (!area || kind === area) && hasRight(rights, kind as Area, 'read_only')
    const { isFuzzy, isPerArea: isPerKind, isWhole } = ways
    const found = await index.find(text, language, limit, ({ kind }) => isWanted(kind), { isFuzzy, isPerKind, isWhole })
    return found.flatMap(({ key, title, excerpt, language: written, matched }) => {
      const id = Number(key.slice(key.lastIndexOf('/') + 1))
      const content = contents.find((one) => keyOf(one, id) === key)
      if (!content) return []
      const name = title || content.entry.label[language].replace('{id}', String(id))
      const path = pathOfEntry(content.entry, id, rights)
      return { area: content.area, kind: content.kind ?? null, id, title: name, excerpt, language: written, matched, path }
    })
  }
}

/** `/api/search`: what the lists of the administration find besides the words as they were typed. */
export const staffSearchRoutes: Routes = async (app) => {
  app.get(
    '/',
    { config: { access: 'signed-in' }, schema: { querystring: query, response: { 200: z.array(foundEntry) } } },
    async ({ actor, query: { q, ...wanted } }) => {
      await app.limits.take('staff-search', String(actor.userId), perMinute)
      return app.staffSearch(actor.mustSetUpTotp ? {} : actor.rights, { text: q, ...wanted }, { isWhole: true })
    },
  )
}
