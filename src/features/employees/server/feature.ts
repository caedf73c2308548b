import { isNotNull } from 'drizzle-orm'
import { sampleContent } from '#company/sample-content.ts'
import { samplePortraits } from '#company/sample-portraits.ts'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { App } from '#src/server/types.ts'
import type { EmployeeFilter } from '../contract.ts'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { employeeData, employeeContent, heldProfiles, readEmployee, readEmployees } from './service.ts'
import { teamImporter } from './importer.ts'
import { employeeRoutes } from './routes.ts'
import { employees as table } from './table.ts'
import { users } from '#src/features/people/server/table.ts'
import { removeUnusedPictures, storeDrawings, unusedPictureDays } from '#src/features/content/server/pictures.ts'
import { pictures } from '#src/features/content/server/pictures-table.ts'
import { orderSettings } from '#src/features/content/order/server/order.ts'
import { entryOrders } from '#src/features/content/order/server/table.ts'
import { readChanges } from '#src/features/content/server/changes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { employees } from '../feature.ts'
import { texts } from '../texts.ts'
import { hasRight } from '#src/lib/rights.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    employees: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({
  find: (id: number) => readEmployee(app, id),
  findBy: (filter: EmployeeFilter) => readEmployees(app, filter),
})

const pathOf = (id: number) => `/team/employe/${id}`

export const employeesServer = serverFeature(employees, {
  api: { '/api/employees/employes': employeeRoutes },
  content: [employeeContent],
  settings: orderSettings(employeeContent),
  pageServices: (app) => ({ employees: pageServices(app) }),
  async findAddresses(app) {
    const [shown, changes] = await Promise.all([readEmployees(app, {}), readChanges(app, 'employees', table)])
    return shown.map(({ id_employe: id }) => ({ fr: pathOf(id), en: pathOf(id), changedAt: changes.get(id) }))
  },
  findEntryAddresses: async ({ db }) =>
    (await employeeContent.findAll(db)).map(({ id_employe, nom, publie }) => ({
      path: pathOf(id_employe),
      title: { fr: nom, en: nom },
      isPublished: publie,
      area: 'employees',
    })),
  sharePictures: {
    kind: 'person',
    async find(app, id, language) {
      const { nom, titre, titre_en } = await readEmployee(app, id)
      return { label: translator(texts, language)('title'), title: nom, lines: [pickText(language, titre, titre_en)] }
    },
  },
  async findTeamRecord(app, id) {
    const record = (await readEmployees(app, {})).find(({ id_employe }) => id_employe === id)
    return record ? { name: record.nom, title: record.titre, title_en: record.titre_en, photo: record.photo } : null
  },
  async findFigures(app, { rights }) {
    if (!hasRight(rights, 'employees', 'read_only')) return {}
    const count = (await readEmployees(app, {})).length
    return {
      '/admin/equipe': { fr: `${count} ${count < 2 ? 'fiche' : 'fiches'}`, en: `${count} ${count === 1 ? 'record' : 'records'}` },
    }
  },
  holdings: [heldProfiles],
  importers: [teamImporter],
  personalData: [employeeData],
  personalColumns,
  impersonalColumns,
  tableEnds: [
    {
      tables: [entryOrders],
      label: { fr: 'Ordre de l’équipe et des emplois', en: 'Order of the team and of the jobs' },
      reason: { fr: 'Une ligne par liste, toujours en vigueur.', en: 'One row per list, which always applies.' },
    },
    {
      tables: [pictures],
      label: { fr: 'Photos qui ne servent plus', en: 'Photos no longer used' },
      days: unusedPictureDays,
      purge: (app, before, limit) => removeUnusedPictures(app.db, app.pictureTables, before, limit),
    },
  ],
  samplePart: {
    table,
    // Visitors of the chat see the name and photo of their technician's profile.
    findUsed: async (db) => {
      const linked = await db.select({ id: users.employeeId }).from(users).where(isNotNull(users.employeeId))
      return linked.flatMap(({ id }) => id ?? [])
    },
  },
  async putSample(tx) {
    const photos = await storeDrawings(tx, Object.values(samplePortraits))
    await tx.insert(table).values(
      sampleContent.employees.map((employee) => ({
        photo: photos[Object.keys(samplePortraits).indexOf(employee.email)] ?? null,
        name: employee.nom,
        department: employee.departement,
        subDepartment: employee.sousdepartement,
        title: employee.titre,
        titleEn: employee.titre_en,
        email: employee.email,
        description: employee.description,
        descriptionEn: employee.description_en,
      })),
    )
  },
})
