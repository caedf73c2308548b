import type { SQL } from 'drizzle-orm'
import { and, asc, eq, ne, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { placeIn } from '#src/features/content/order/server/order.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import { isStoredPhoto, storePhoto } from '#src/features/content/server/pictures.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import { Invalid } from '#src/server/problems.ts'
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
    ...(input.photo === undefined ? {} : { photo: input.photo }),
  }),
  // A photo that nobody shows is deleted after a while: the current one then stays.
  fromFormer: async (tx, former) =>
    former.photo && !(await isStoredPhoto(tx, former.photo)) ? { ...former, photo: undefined } : former,
})

export function readEmployees({ content, db }: Reader, filter: EmployeeFilter) {
  return content.read('employees', JSON.stringify(filter), () => findEmployees(db, filter))
}

export function readEmployee({ content, db }: Reader, id: number) {
  return content.read('employees', `one ${id}`, () => employeeContent.find(db, id))
}

/** An employee may belong to two departments: the match on `departement` also checks `sousdepartement`. */
async function findEmployees(db: Database, filter: EmployeeFilter) {
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
    photo: row.photo,
    english_older: row.englishOlder,
    version: row.version,
  }
}

/** Team profiles: found and exported here; they are deleted on the team's own page. */
export const employeeData: PersonalDataKind = {
  kind: 'employees',
  async find(db, email) {
    const rows = await db
      .select()
      .from(employees)
      .where(eq(sql`lower(${employees.email})`, email))
    return rows.map((row) => ({
      id: String(row.id),
      at: row.createdAt.toISOString(),
      fields: { name: row.name, title: row.title, email: row.email, description: row.description, photo: row.photo },
    }))
  },
  erase: null,
  keptReason: 'team profile',
}
