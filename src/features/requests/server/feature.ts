import { suspectedDays } from '#src/lib/suspected.ts'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { mailImporter } from '../mail-import/importer.ts'
import { requestImporter } from './importers.ts'
import { requestSettings } from '../contract.ts'
import { findSettings, saveSettings } from './settings.ts'
import { customerPageApi, customerPageRoutes, describeOutcome, findCustomerPage } from './customer-page.ts'
import { createPageForms } from './page-form.ts'
import { requestData } from './personal-data.ts'
import { findInboxHealth } from './inbox.ts'
import { inboxData } from './take-mail.ts'
import { mailerRoutes, requestRoutes } from './routes.ts'
import { settingsStay } from '#src/server/personal-data.ts'
import { inboxMails, inboxState, requestEntries, requests as table, requestSettingsTable, trapCounts } from './table.ts'
import { requireRight } from '#src/features/people/sign-in/server/route-access.ts'
import { replyFilesMaxBytes } from '../values.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { sameName } from '#src/features/content/palette/server/routes.ts'
import type { CustomerPage } from '../contract.ts'
import { requests } from '../feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { SQL } from 'drizzle-orm'
import { and, desc, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { z } from 'zod'
import { requestSummary } from '../contract.ts'
import { findCounterRequests, matching } from './lookup.ts'
import { pickSearched } from './search-requests.ts'
import { heldRequests, summarizeSuspected } from './follow-up.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    requests: ReturnType<typeof createPageForms> & {
      findCustomerPage: (token: string) => Promise<CustomerPage>
      describeOutcome: typeof describeOutcome
    }
  }
}

/** On the landing screen: what waits to be taken. A count of 10,001 means “more than 10,000”. */
const counterRequests = z.object({
  new: z.int(),
  late: z.int(),
  suspected: z.int(),
  suspected_known: z.int(),
  rows: z.array(
    requestSummary.pick({ id_request: true, reference: true, subject: true, name: true, is_late: true, created_at: true }),
  ),
})
export type CounterRequests = z.infer<typeof counterRequests>
declare module '#src/features/content/counter/contract.ts' {
  interface CounterFacts {
    requests: CounterRequests
  }
}

export const requestsServer = serverFeature(requests, {
  uploads: {
    request_files: { maxBytes: replyFilesMaxBytes, check: ({ actor }) => requireRight(actor, 'requests', 'read_write') },
  },
  settings: {
    area: 'requests',
    input: requestSettings,
    read: ({ db }) => findSettings(db),
    save: ({ db }, author, input) => saveSettings(db, author, input),
  },
  routes: { '/suivi': customerPageRoutes },
  api: { '/public_api/requests': customerPageApi, '/api/mailer': mailerRoutes, '/api/requests/requests': requestRoutes },
  pageServices: (app) => ({
    requests: { ...createPageForms(app), findCustomerPage: (token: string) => findCustomerPage(app, token), describeOutcome },
  }),
  findHealth: findInboxHealth,
  checkMailbox: async (address) => (await import('./mailbox.ts')).checkInbox(address),
  counter: {
    shape: { requests: counterRequests },
    async find({ db }, { rights }) {
      if (!hasRight(rights, 'requests', 'read_only')) return {}
      return { requests: await findCounterRequests(db, await summarizeSuspected(db)) }
    },
  },
  async findInPalette({ db }, { rights }, search) {
    if (!hasRight(rights, 'requests', 'read_only')) return []
    return (await findNamedRequests(db, search)).map(({ id, reference, subject, name, phone }) => ({
      group: 'work' as const,
      label: sameName(subject || reference),
      hint: sameName([reference, name, phone].filter(Boolean).join(', ')),
      path: `/admin/demandes/${id}`,
      page: '/admin/demandes',
    }))
  },
  importers: [requestImporter, mailImporter],
  personalData: [requestData, inboxData],
  holdings: [heldRequests],
  userColumns: [table.assignedTo, requestEntries.userId],
  personalColumns,
  impersonalColumns,
  tableEnds: [
    { tables: [table], label: { fr: 'Demandes', en: 'Requests' }, kind: 'requests' },
    { tables: [inboxMails], label: { fr: 'Courriels entrants à trier', en: 'Incoming email to sort' }, kind: 'inbox' },
    {
      tables: [trapCounts],
      label: { fr: 'Formulaires comptés sans être conservés', en: 'Forms counted and not kept' },
      days: suspectedDays,
    },
    {
      tables: [requestSettingsTable, inboxState],
      label: { fr: 'Réglages des demandes', en: 'Request settings' },
      reason: settingsStay,
    },
  ],
})

const mostNamed = 5
/** A frequent word is in enough of these. */
const newestRead = 2_000

/** The newest requests that match, for the command palette. */
export async function findNamedRequests(db: Database, search: string) {
  const { id, reference, subject, name, phone } = table
  const select = (where: SQL | undefined) =>
    db.select({ id, reference, subject, name, phone }).from(table).where(where).orderBy(desc(id)).limit(mostNamed)
  const isNew = sql`${id} > (select max(id) from ${table}) - ${newestRead}::int`
  const found = await select(and(isNew, matching({ search }, null, 'frequent')))
  return found.length === mostNamed ? found : select(matching({ search }, null, await pickSearched(db, search)))
}
