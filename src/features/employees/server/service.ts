import type { SQL } from 'drizzle-orm'
import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { placeIn } from '#src/features/content/order/server/order.ts'
import type { Holding } from '#src/features/content/server/feature.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import { isStoredPhoto, storePhoto } from '#src/features/content/server/pictures.ts'
import { users } from '#src/features/people/server/table.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import { findByWords } from '#src/server/search/stored-texts.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import { Invalid, NotFound } from '#src/server/problems.ts'
import type { Employee, EmployeeFilter, EmployeeInput } from '../contract.ts'
import { employeeInput } from '../contract.ts'
import { employees as feature } from '../feature.ts'
import { employeePairs } from '../values.ts'
import { employees } from './table.ts'

type Row = typeof employees.$inferSelect

const order = [placeIn('employees', employees.id, 'last'), asc(employees.name), asc(employees.id)]

export const employeeContent = defineContent<typeof employees, Employee, EmployeeInput>({
  entry: feature.entries[0],
  input: employeeInput,
  idKey: 'id_employe',
  nameOf: (employee) => employee.nom,
  alsoFoundBy: ({ email, departement, sousdepartement }) => [email, departement, sousdepartement].filter(Boolean).join(', '),
  table: employees,
  orderBy: order,
  pairs: employeePairs,
  toEntity: toEmployee,
  toRow: (input) => ({
    name: input.nom,
    department: input.departement,
    subDepartment: input.sousdepartement,
    title: input.titre,
    titleEn: input.titre_en,
    email: input.email,
    description: input.description,
    descriptionEn: input.description_en,
    isPublished: input.publie,
    ...(input.photo === undefined ? {} : { photo: input.photo }),
  }),
  // A photo that nobody shows is deleted after a while: the current one then stays.
  fromFormer: async (tx, former) =>
    former.photo && !(await isStoredPhoto(tx, former.photo)) ? { ...former, photo: undefined } : former,
})

/** The team that visitors see. */
export function readEmployees({ content, db }: Reader, filter: EmployeeFilter) {
  return content.read('employees', JSON.stringify(filter), async () =>
    (await findEmployees(db, filter)).filter(({ publie }) => publie),
  )
}

/** One person for visitors; a draft is not found. */
export async function readEmployee({ content, db }: Reader, id: number) {
  const employee = await content.read('employees', `one ${id}`, () => employeeContent.find(db, id))
  if (!employee.publie) throw new NotFound('This entry does not exist.')
  return employee
}

/** Drafts too. An employee may belong to two departments: the match on `departement` also checks `sousdepartement`. */
export async function findEmployees(db: Database, filter: EmployeeFilter) {
  const { email, departement, sousdepartement } = filter
  const rows = await db
    .select()
    .from(employees)
    .where(
      and(
        compare(employees.email, email),
        typeof departement === 'string'
          ? or(compare(employees.department, departement), compare(employees.subDepartment, departement))
          : compare(employees.department, departement),
        compare(employees.subDepartment, sousdepartement),
      ),
    )
    .orderBy(...order)
  return rows.map(toEmployee)
}

/** Stores a new photo before the save: re-encoding is too slow for a transaction. */
export async function withStoredPhoto(db: Database, input: EmployeeInput): Promise<EmployeeInput> {
  const { new_photo: dataUrl, new_photo_path: _name, ...rest } = input
  if (rest.photo && !dataUrl && !(await isStoredPhoto(db, rest.photo))) {
    throw new Invalid('This photo is not stored here.', [{ path: 'photo', message: 'not a photo of this product' }])
  }
  return dataUrl ? { ...rest, photo: await storePhoto(db, dataUrl) } : rest
}

function compare(column: PgColumn, condition: string | { neq: string } | undefined): SQL | undefined {
  if (condition === undefined) return undefined
  return typeof condition === 'string' ? eq(column, condition) : ne(column, condition.neq)
}

function toEmployee(row: Row): Employee {
  return {
    id_employe: row.id,
    nom: row.name,
    departement: row.department,
    sousdepartement: row.subDepartment,
    titre: row.title,
    titre_en: row.titleEn,
    email: row.email,
    description: row.description,
    description_en: row.descriptionEn,
    publie: row.isPublished,
    photo: row.photo,
    english_older: row.englishOlder,
    version: row.version,
  }
}

/** Profiles that the site shows of a user: the chosen one, and those with the same email. */
async function findProfilesOf(db: Database, userId: number) {
  const [user] = await db.select({ id: users.employeeId, email: users.email }).from(users).where(eq(users.id, userId))
  if (!user) return []
  const isTheirs = or(
    user.id === null ? undefined : eq(employees.id, user.id),
    user.email === '' ? undefined : eq(sql`lower(${employees.email})`, user.email.toLowerCase()),
  )
  if (!isTheirs) return []
  const rows = await db
    .select()
    .from(employees)
    .where(and(isTheirs, eq(employees.isPublished, true)))
    .orderBy(employees.id)
  return rows.map(toEmployee)
}

/** The profile of whoever leaves stays on the site until somebody takes it off. */
export const heldProfiles: Holding = {
  kind: 'profiles',
  describe: (count) => ({
    fr: count < 2 ? '1 fiche d’équipe sur le site' : `${count} fiches d’équipe sur le site`,
    en: count === 1 ? '1 team profile on the site' : `${count} team profiles on the site`,
  }),
  fate: { fr: 'Affichée tant que personne ne la retire.', en: 'Shown until somebody takes it off.' },
  mayHide: (rights) => hasRight(rights, 'employees', 'read_write'),
  async find({ db }, userId, { rights }) {
    const found = await findProfilesOf(db, userId)
    const mayOpen = hasRight(rights, 'employees', 'read_write')
    const rows = found.map(({ id_employe, nom }) => ({ label: nom, path: `/admin/equipe_edit/${id_employe}` }))
    return { count: found.length, rows: mayOpen ? rows : [] }
  },
  async release(app, tx, author, { userId, hides }) {
    const found = hides ? await findProfilesOf(tx, userId) : []
    const context = { db: tx, events: { changed: () => {} } }
    for (const { id_employe: id, photo: _photo, english_older: _older, ...rest } of found) {
      await employeeContent.update(context, author, id, { ...rest, publie: false })
    }
    return async () => {
      if (found.length > 0) app.events.changed('employees')
    }
  },
}

/** Team profiles: found and exported here; they are deleted on the team's own page. */
export const employeeData: PersonalDataKind = {
  kind: 'employees',
  find: (db, email) => describeEmployees(db, eq(sql`lower(${employees.email})`, email)),
  candidates: {
    ids: employees.id,
    search: (db, text, most) => {
      const { id, name, email, title, description } = employees
      return findByWords(db, { id, columns: [name, email, title, description] }, text, most)
    },
    describe: (db, ids) => describeEmployees(db, inArray(employees.id, ids.map(Number))),
  },
  erase: null,
  keptReason: 'team profile',
}

async function describeEmployees(db: Database, where: SQL): Promise<Finding[]> {
  const rows = await db.select().from(employees).where(where)
  return rows.map((row) => ({
    id: String(row.id),
    at: row.createdAt.toISOString(),
    fields: { name: row.name, title: row.title, email: row.email, description: row.description, photo: row.photo },
  }))
}
