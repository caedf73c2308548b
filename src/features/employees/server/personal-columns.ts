import { entryOrders } from '#src/features/content/order/server/table.ts'
import { pictures } from '#src/features/content/server/pictures-table.ts'
import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { employees } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['staff'],
    columns: [
      ...[employees.name, employees.title, employees.titleEn, employees.email],
      ...[employees.description, employees.descriptionEn, employees.photo, pictures.bytes],
    ],
    purpose: 'Present the team on the site, and show who replies in the live chat.',
    seenBy: ['public', 'employees'],
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  { columns: [employees.englishOlder], reason: 'dates of translations' },
  { columns: [pictures.key], reason: 'the name of a stored picture' },
  { columns: [entryOrders.area], reason: 'the name of a list' },
]
