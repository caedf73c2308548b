import { desc, ne, sql } from 'drizzle-orm'
import { sampleContent } from '#company/sample-content.ts'
import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { InsertHtml } from '#src/server/cache/page-cache.ts'
import { sameUrl, wholeSource } from '#src/server/search/search.ts'
import type { App, Routes } from '#src/server/types.ts'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { monitorImporter } from '../monitors/server/importer.ts'
import { subscriberImporter } from './importers.ts'
import { feedRoutes } from './feed.ts'
import { networkRoutes } from './routes.ts'
import { closeMonths, recordStatuses } from './history.ts'
import { statusRoutes } from './incident-routes.ts'
import { readIncidents } from './incident-list.ts'
import { findIncidentPage, findStatusParts, findSummary } from './overview.ts'
import { announcementRoutes } from '../announcements/server/routes.ts'
import { keepCounts } from '../announcements/server/service.ts'
import { announcements } from '../announcements/server/table.ts'
import { forgetMailings, mailingDays, oldestMailing, startMailings } from './mailings.ts'
import {
  findSubscriptionPage,
  publicSubscriberRoutes,
  renderSent,
  subscribeByForm,
  subscriberRoutes,
  subscriptionRoutes,
} from './subscriber-routes.ts'
import { startBeats } from './product-outage.ts'
import { findShareCard } from './share-card.ts'
import { findCopyHealth, startStatusCopy } from './status-copy.ts'
import { subscriberData } from './subscriptions.ts'
import { nameElements, networkContent, readNetworks } from './service.ts'
import { mailings, subscribers } from './subscriber-table.ts'
import { elementChanges, elementMonths, networkIncidents, networks as table, productBeats } from './table.ts'
import { settingsStay } from '#src/server/personal-data.ts'
import { networkMonitors } from '../monitors/server/table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { firstMatches, sameName } from '#src/features/content/palette/server/routes.ts'
import { monitorRoutes, signalRoutes } from '../monitors/server/routes.ts'
import { networks } from '../feature.ts'
import type { PaletteResult } from '#src/features/content/palette/contract.ts'
import type { Viewer } from '#src/features/content/server/feature.ts'
import { findMaintainedNetworks } from '#src/features/updates/server/service.ts'
import { elementName, isInEnglish, readDetails } from '../values.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { Network } from '../contract.ts'
import { counterNetworks } from '../contract.ts'
import { statusTexts } from '../status-texts.ts'
import { findCounterNetworks, findStatusFigure } from './overview.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    networks: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({
  findAll: () => readNetworks(app),
  findSummary: () => findSummary(app),
  findStatusPage: (language: Language, insert: InsertHtml) => findStatusParts(app, language, insert),
  findIncidentPage: (id: number, language: Language) => findIncidentPage(app, id, language),
  renderSent,
  subscribeByForm: (form: FormData | null, from: { address: string; language: Language }) => subscribeByForm(app, form, from),
  findSubscriptionPage: (token: string, language: Language, done: string | null) =>
    findSubscriptionPage(app, token, language, done),
})

const sampleAuthor = { userId: null, name: 'sample', address: '' }

const statusAndWork: Routes = async (app) => {
  app.queue.schedule('network-history', '40 3 * * *', async () => {
    await closeMonths(app.db)
    await keepCounts(app.db, oldestMailing(new Date()))
    await forgetMailings(app.db)
  })
  startMailings(app)
  startStatusCopy(app)
  startBeats(app)
  await statusRoutes(app)
}

/** Published outages that are not over, and what is not well without one, for the search. */
async function findRunningOutages(app: App) {
  const [incidents, all] = await Promise.all([readIncidents(app), readNetworks(app)])
  const running = incidents.filter(({ resolved_at }) => resolved_at === null)
  const declared = new Set(running.flatMap(({ elements }) => elements.map(({ id_reseau, nom }) => `${id_reseau} ${nom}`)))
  const undeclared = findProblems(all).filter(({ id, nom }) => !declared.has(`${id} ${nom}`) && !declared.has(`${id} `))
  return [
    ...running.map(({ id_incident, title, title_en, elements, updates, meanwhile, meanwhile_en }) => {
      const names = elements.flatMap(({ id_reseau, nom }) => [nom, all.find((one) => one.id_reseau === id_reseau)?.nom ?? ''])
      const last = updates.at(-1)
      return {
        key: `incident-${id_incident}`,
        kind: 'incident',
        title: { fr: title, en: title_en },
        text: { fr: [last?.text, meanwhile].join(' '), en: [last?.text_en, meanwhile_en].join(' ') },
        keywords: { fr: names.join(' '), en: names.join(' ') },
        url: sameUrl(`/reseau/incident/${id_incident}`),
        isUrgent: true,
      }
    }),
    ...undeclared.map(({ id, nom, title, words }) => ({
      key: `problem-${id}-${nom}`,
      kind: 'incident',
      title,
      text: { fr: '', en: '' },
      keywords: { fr: words, en: words },
      url: sameUrl('/reseau'),
      isUrgent: true,
    })),
  ]
}

/** Components that are degraded or down; a network that is offline counts once, with the names of all its components. */
function findProblems(all: readonly Network[]) {
  const titleOf = (network: Network, names: Record<Language, string>, state: 'offline' | 'down' | 'degraded') => {
    const inLanguage = (language: Language) => {
      const t = translator(statusTexts, language)
      const of = network.nom || t('nameless')
      const name = names[language] ? t('partOf', { name: names[language], network: of }) : of
      return t('problemPlain', { name, state: t(state) })
    }
    return { fr: inLanguage('fr'), en: inLanguage('en') }
  }
  return all.flatMap((network) => {
    const details = readDetails(network.details)
    const id = network.id_reseau
    if (network.status === 'OFFLINE') {
      const words = details.flatMap(({ nom, nom_en }) => [nom, nom_en]).join(' ')
      return [{ id, nom: '', title: titleOf(network, { fr: '', en: '' }, 'offline'), words }]
    }
    return details
      .filter(({ statut }) => statut !== 'OK')
      .map((detail) => {
        const names = { fr: pickText('fr', detail.nom, detail.nom_en), en: pickText('en', detail.nom, detail.nom_en) }
        const title = titleOf(network, names, detail.statut === 'ERROR' ? 'down' : 'degraded')
        return { id, nom: elementName(detail), title, words: '' }
      })
  })
}

const newestOutages = 500
const page = '/admin/reseau'

/** Networks, their components and outages; for who may write, with what one does about them. */
async function findInPalette(app: App, { rights }: Viewer, search: string): Promise<PaletteResult[]> {
  if (!hasRight(rights, 'networks', 'read_only')) return []
  const canWrite = hasRight(rights, 'networks', 'read_write')
  // Drafts too, which their authors look for here.
  const places = (await networkContent.findAll(app.db)).flatMap(({ id_reseau, nom, details }) => {
    const network = { nom: '', label: sameName(nom), hint: { fr: 'Réseau', en: 'Network' } }
    const elements = readDetails(details).map((detail) => {
      const name = elementName(detail)
      return { nom: name, label: { fr: detail.nom || name, en: detail.nom_en || name }, hint: sameName(nom) }
    })
    return [network, ...elements].filter(({ label }) => label.fr !== '').map((one) => ({ ...one, id_reseau, network: nom }))
  })
  type Place = (typeof places)[number]
  const outageOf = ({ label }: Place) => ({ fr: `Mettre ${label.fr} en panne`, en: `Declare an outage of ${label.en}` })
  const down = (place: Place) => {
    const { fr, en } = outageOf(place)
    return `${fr} ${en} ${place.network} put ${place.label.en} down`
  }
  const divided = new Set(places.filter(({ nom }) => nom !== '').map(({ id_reseau }) => id_reseau))
  // Of a network with components, an outage names those that it touches; a draft has none.
  const touchable = places.filter(
    ({ nom, id_reseau, network }) => network.trim() !== '' && (nom !== '' || !divided.has(id_reseau)),
  )
  const acts = firstMatches(canWrite ? touchable : [], search, down).map((place) => ({
    group: 'act' as const,
    label: outageOf(place),
    hint: place.hint,
    path: `${page}/pannes/nouvelle?${String(new URLSearchParams({ reseau: String(place.id_reseau), element: place.nom }))}`,
    page: `${page}/pannes`,
  }))
  const found = firstMatches(places, search, ({ label, network }) => `${label.fr} ${label.en} ${network}`).map((place) => ({
    group: 'networks' as const,
    label: place.label,
    hint: place.hint,
    path: canWrite ? `/admin/reseau_edit/${place.id_reseau}` : page,
    page,
  }))
  const { id, number, title, titleEn, draft, resolvedAt } = networkIncidents
  const outages = await app.db
    .select({ id, number, title, titleEn, draft, resolvedAt })
    .from(networkIncidents)
    .orderBy(desc(networkIncidents.startedAt), desc(id))
    .limit(newestOutages)
  const named = firstMatches(outages, search, (one) => `${one.number} ${one.title} ${one.titleEn} panne outage`).map((one) => ({
    group: 'networks' as const,
    label: { fr: one.title || one.number, en: one.titleEn || one.title || one.number },
    hint: one.draft
      ? { fr: 'Panne, brouillon', en: 'Outage, draft' }
      : one.resolvedAt
        ? { fr: `Panne ${one.number}, résolue`, en: `Outage ${one.number}, resolved` }
        : { fr: `Panne ${one.number}, en cours`, en: `Outage ${one.number}, in progress` },
    path: `${page}/pannes/${one.id}`,
    page: `${page}/pannes`,
  }))
  return [...acts, ...found, ...named]
}

export const networksServer = serverFeature(networks, {
  api: {
    '/api/networks/reseau': networkRoutes,
    '/api/networks/monitors': monitorRoutes,
    '/api/networks/signals': signalRoutes,
    '/api/networks': statusAndWork,
    '/api/networks/subscribers': subscriberRoutes,
    '/api/announcements': announcementRoutes,
    '/public_api/networks': publicSubscriberRoutes,
  },
  routes: { '/reseau': feedRoutes, '/reseau/abonnement': subscriptionRoutes },
  content: [networkContent],
  pageServices: (app) => ({ networks: pageServices(app) }),
  sharePictures: { kind: 'incident', find: findShareCard },
  findAddresses: async (app) =>
    (await readIncidents(app)).map((incident) => {
      const address = `/reseau/incident/${incident.id_incident}`
      return {
        fr: address,
        ...(isInEnglish(incident) && { en: address }),
        changedAt: incident.updates.at(-1)?.at,
      }
    }),
  searchable: [wholeSource(['networks'], findRunningOutages)],
  importers: [subscriberImporter, monitorImporter],
  personalData: [subscriberData],
  personalColumns,
  impersonalColumns,
  tableEnds: [
    { tables: [subscribers], label: { fr: 'Abonnés', en: 'Subscribers' }, kind: 'subscribers' },
    {
      tables: [announcements],
      label: { fr: 'Annonces aux abonnés', en: 'Announcements to subscribers' },
      reason: {
        fr: 'Les textes envoyés, avec le nom de leur auteur. Qui les a reçus est oublié après 90 jours.',
        en: 'The texts that were sent, with the name of their author. Who received them is forgotten after 90 days.',
      },
    },
    { tables: [mailings], label: { fr: 'Envois aux abonnés', en: 'Mailings to subscribers' }, days: mailingDays },
    {
      tables: [elementChanges, elementMonths, networkIncidents],
      label: { fr: 'Pannes et historique du réseau', en: 'Outages and network history' },
      reason: {
        fr: 'Ils sont la preuve de la disponibilité. Seul le personnel y est nommé : qui a changé un état.',
        en: 'They are the proof of availability. They name staff alone: who changed a status.',
      },
    },
    {
      tables: [networkMonitors],
      label: { fr: 'Sondes', en: 'Monitors' },
      reason: {
        fr: 'Le personnel supprime une sonde avec ses mesures. Les mesures détaillées sont conservées 2 jours, celles d’une heure 31 jours, celles d’un jour 762 jours.',
        en: 'Staff delete a monitor with its measurements. Detailed ones are kept 2 days, hourly ones 31 days, daily ones 762 days.',
      },
    },
    { tables: [productBeats], label: { fr: 'État du produit', en: 'Product status' }, reason: settingsStay },
  ],
  nameElements,
  findHealth: async (app) => findCopyHealth(app),
  counter: {
    shape: { networks: counterNetworks },
    find: async (app, { rights }) =>
      hasRight(rights, 'networks', 'read_only') ? { networks: await findCounterNetworks(app) } : {},
  },
  findFigures: async (app, { rights }) =>
    hasRight(rights, 'networks', 'read_only') ? { '/admin/reseau': await findStatusFigure(app) } : {},
  findInPalette,
  async putSample(tx) {
    const rows = await tx
      .insert(table)
      .values(
        sampleContent.networks.map(({ nom, status, details }) => ({
          name: nom,
          status,
          details: details.map((detail) => ({ ...detail })),
        })),
      )
      .returning()
    for (const row of rows) await recordStatuses(tx, sampleAuthor, null, networkContent.toEntity(row))
  },
  samplePart: {
    table,
    // Its monitors, outages and maintenance would be about nothing; who follows it alone would get no mail.
    findUsed: async (db) => {
      const [monitored, outages, followed, maintained] = await Promise.all([
        db.selectDistinct({ id: networkMonitors.networkId }).from(networkMonitors),
        db.select({ elements: networkIncidents.elements }).from(networkIncidents),
        db
          .selectDistinct({ id: sql<number>`unnest(${subscribers.networks})` })
          .from(subscribers)
          .where(ne(subscribers.state, 'left')),
        findMaintainedNetworks(db),
      ])
      const ofOutages = outages.flatMap(({ elements }) => elements.map((one) => one.id_reseau))
      return [...[...monitored, ...followed].map(({ id }) => id), ...ofOutages, ...maintained]
    },
  },
})
