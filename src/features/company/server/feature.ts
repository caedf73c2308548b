import { z } from 'zod'
import { company } from '#company/company.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { findLogo } from '#src/features/content/server/pictures.ts'
import { isReadable, paletteOf } from '#src/lib/colour.ts'
import { hasRight } from '#src/lib/rights.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import { companySettings, companySettingsInput, logoMaxLength, sampleCount, sampleEmptied } from '../contract.ts'
import { companyFeature } from '../feature.ts'
import { applyStoredFacts, findCurrentFacts, findFacts, readCompanySettings, saveCompanySettings } from './service.ts'
import { officerRoutes } from './officer.ts'
import { countSample, emptySample } from './sample.ts'
import { sampleRows } from './sample-table.ts'
import { companySettingsTable } from './table.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    company: {
      findFacts: typeof findFacts
      findCurrentFacts: typeof findCurrentFacts
      /** Meta tags that tell search engines whose site it is, by name. */
      marks: Readonly<Record<string, string>>
    }
  }
}

const companyRoutes: Routes = async (app) => {
  const { db, events } = app
  events.onChanged((area) => {
    if (area !== 'company') return
    // Another instance saved: what was cached since shows the former facts.
    applyStoredFacts(db)
      .then((isNew) => isNew && events.changed('company'))
      .catch((error: unknown) => app.log.error({ err: error }, 'the facts of the company were not read again'))
  })
  const write = { bodyLimit: logoMaxLength + 20_000, config: { access: 'company read_write', recentSignIn: true } } as const
  app.get('/settings', { config: { access: 'company read_only' }, schema: { response: { 200: companySettings } } }, () =>
    readCompanySettings(db),
  )
  app.put('/settings', { ...write, schema: { body: companySettingsInput, response: { 200: companySettings } } }, (request) =>
    saveCompanySettings(app, request.author, request.body),
  )
  app.delete('/settings', { ...write, schema: { response: { 200: companySettings } } }, (request) =>
    saveCompanySettings(app, request.author, null),
  )
  const samples = { access: 'company administrator' } as const
  app.get('/sample', { config: samples, schema: { response: { 200: sampleCount } } }, async () => ({
    count: await countSample(app),
  }))
  app.delete('/sample', { config: { ...samples, recentSignIn: true }, schema: { response: { 200: sampleEmptied } } }, (request) =>
    emptySample(app, request.author),
  )
  // JSON leaves out what is undefined: a page that is open would keep the former colour and logo.
  app.get('/facts', { config: { access: 'public' }, schema: { hide: true } }, () => {
    const facts = findCurrentFacts()
    return { ...facts, colour: facts.colour ?? null, logo: facts.logo ?? null }
  })
}

const params = z.strictObject({ file: z.string().regex(/^[\da-f]{6}\.css$/) })

/** The style sheet of a main colour: an address always has the same rules, so it is immutable. */
const colourRoutes: Routes = async (app) => {
  app.get('/:file', { config: { access: 'public' }, schema: { params, hide: true } }, async (request, reply) => {
    const colour = `#${request.params.file.slice(0, 6)}`
    if (!isReadable(colour)) throw new NotFound('There is no such color.')
    const { soft, night, nightSoft } = paletteOf(colour)
    const dark = `--color-brand:${night};--color-brand-soft:${nightSoft}`
    void reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=31536000, immutable')
    return `@media screen{:root{--color-brand:${colour};--color-brand-soft:${soft}}:root[data-theme='dark'],.night{${dark}}@media (prefers-color-scheme:dark){:root:not([data-theme='light']){${dark}}}}`
  })
}

export const companyServer = serverFeature(companyFeature, {
  settings: {
    area: 'company',
    isGuarded: true,
    input: companySettingsInput,
    read: ({ db }) => readCompanySettings(db),
    // A logo that nobody shows is deleted after a while: the current one then stays.
    fromFormer: async ({ db }, former, current) =>
      former.logo && !(await findLogo(db, String(former.logo))) ? { ...former, logo: current.logo } : former,
    save: saveCompanySettings,
  },
  api: { '/api/company': companyRoutes, '/api/privacy/officer': officerRoutes },
  routes: { '/couleur': colourRoutes },
  pageServices: ({ config }) => ({ company: { findFacts, findCurrentFacts, marks: config.verificationMarks } }),
  pictureTables: [companySettingsTable],
  personalColumns: [
    {
      whose: ['staff'],
      columns: [companySettingsTable.officer],
      purpose: 'Name the person in charge of personal information, as the law requires.',
      seenBy: ['public', 'privacy'],
    },
    {
      whose: ['staff'],
      columns: [companySettingsTable.settings],
      purpose: 'The contact details of the company; an address or a number may be that of a person.',
      seenBy: ['public', 'company'],
    },
  ],
  impersonalColumns: [{ columns: [sampleRows.place], reason: 'the name of a table' }],
  tableEnds: [
    {
      tables: [companySettingsTable],
      label: { fr: 'Réglages de l’entreprise', en: 'Company settings' },
      reason: { fr: 'Une seule ligne, toujours en vigueur.', en: 'One row, which always applies.' },
    },
    {
      tables: [sampleRows],
      label: { fr: 'Liste du contenu d’exemple', en: 'List of the sample content' },
      reason: { fr: 'Des numéros, jusqu’à ce qu’on vide l’exemple.', en: 'Numbers, until the sample is emptied.' },
    },
  ],
  async findSetup(_app, { rights }) {
    if (!hasRight(rights, 'company', 'read_write')) return []
    return [
      {
        name: 'company',
        short: { fr: 'Nom', en: 'Name' },
        label: { fr: 'Nom de l’entreprise', en: 'Company name' },
        hint: {
          fr: 'Le site montre encore l’entreprise d’exemple.',
          en: 'The site still shows the sample company.',
        },
        path: '/admin/entreprise',
        // example.com is reserved for documentation (RFC 2606).
        is_done: !/@(.+\.)?example\.(com|net|org)$/.test(company.emails.support),
      },
      {
        name: 'logo',
        short: { fr: 'Logo', en: 'Logo' },
        label: { fr: 'Logo de l’entreprise', en: 'Company logo' },
        hint: {
          fr: 'L’en-tête et les icônes montrent encore l’emblème du produit.',
          en: 'The header and the icons still show the sign of the product.',
        },
        path: '/admin/entreprise',
        is_done: company.logo !== undefined,
      },
    ]
  },
})
