import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Language } from '#src/lib/language/language.ts'
import type { VisitSource } from '#src/lib/visit-source.ts'

/** A form or a conversation of a visitor, begun or sent. */
export type VisitorAction = {
  kind: 'form' | 'chat'
  /** Path of the page; another address than that of a page counts as "other". */
  path: string
  language: Language
  source: VisitSource | null
  headers: IncomingHttpHeaders
}

/** Counts what visitors do, without anything about who they are. */
export type VisitCounter = {
  /** Counts a page that was sent, unless it was no page view of a person. */
  countView: (request: FastifyRequest, status: number) => void
  /** Counts a page that was shown without a new document; another address than that of a page is left out. */
  countNavigation: (shown: Pick<VisitorAction, 'path' | 'language' | 'headers'>) => Promise<void>
  countBegun: (action: VisitorAction) => void
  countSent: (action: VisitorAction) => void
}

export const noVisitCounter: VisitCounter = {
  countView: () => {},
  countNavigation: async () => {},
  countBegun: () => {},
  countSent: () => {},
}
