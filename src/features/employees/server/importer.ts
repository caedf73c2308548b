import { inArray } from 'drizzle-orm'
import type { ImportColumn, Importer } from '#src/features/content/server/importing.ts'
import { checkBy, Refused } from '#src/features/content/server/importing.ts'
import { foldText } from '#src/lib/text/plain-text.ts'
import type { EmployeeInput } from '../contract.ts'
import { employeeInput } from '../contract.ts'
import { departmentTexts } from '../texts.ts'
import type { Department } from '../values.ts'
import { departments } from '../values.ts'
import { employeeContent } from './service.ts'
import { employees } from './table.ts'

const columns: ImportColumn[] = [
  {
    name: 'nom',
    label: { fr: 'Nom', en: 'Name' },
    others: ['nom complet', 'full name', 'employé', 'employee'],
    isRequired: true,
  },
  {
    name: 'email',
    label: { fr: 'Courriel', en: 'Email' },
    others: ['e-mail', 'adresse de courriel', 'email address'],
    isRequired: true,
  },
  {
    name: 'departement',
    label: { fr: 'Département', en: 'Department' },
    others: ['service', 'équipe', 'team'],
    isRequired: true,
  },
  { name: 'sousdepartement', label: { fr: 'Sous-département', en: 'Sub-department' } },
  {
    name: 'titre',
    label: { fr: 'Titre', en: 'Title' },
    others: ['poste', 'fonction', 'job title', 'position'],
    isRequired: true,
  },
  { name: 'titre_en', label: { fr: 'Titre (Anglais)', en: 'Title (English)' } },
  { name: 'description', label: { fr: 'Description', en: 'Description' }, others: ['biographie', 'bio', 'texte', 'text'] },
  { name: 'description_en', label: { fr: 'Description (Anglais)', en: 'Description (English)' } },
]

const names = new Map(
  departments.flatMap((one) =>
    [one, departmentTexts.fr[one], departmentTexts.en[one]].map((name) => [foldText(name), one] as const),
  ),
)

function departmentOf(name: string): Department {
  const found = names.get(foldText(name.trim()))
  if (found) return found
  const list = departments.map((one) => departmentTexts.fr[one]).join(', ')
  const listEn = departments.map((one) => departmentTexts.en[one]).join(', ')
  throw new Refused({
    fr: `Département : « ${name.slice(0, 60)} » n’existe pas ici (${list}).`,
    en: `Department: “${name.slice(0, 60)}” does not exist here (${listEn}).`,
  })
}

/** English that the list does not have is the French, and stands in the list of English to review. */
const isBorrowed = ({ titre, titre_en, description, description_en }: EmployeeInput) => ({
  ...(titre === titre_en && { titre: new Date().toISOString() }),
  ...(description === description_en && { description: new Date().toISOString() }),
})

/** People of the team, as drafts; their photos are added here. */
export const teamImporter: Importer = {
  kind: 'team',
  label: { fr: 'Équipe', en: 'Team' },
  hint: {
    fr: 'CSV ou JSON Lines : nom, courriel, département, titre et description, dans les deux langues. Les fiches arrivent en brouillon.',
    en: 'CSV or JSON Lines: name, email, department, title and description, in both languages. Records come as drafts.',
  },
  accept: '.csv,.tsv,.txt,.jsonl,.ndjson',
  areas: ['employees'],
  columns,
  toValues: ({ nom = '', email = '', departement = '', sousdepartement = '', titre = '', ...rest }) => ({
    nom,
    email,
    departement: departmentOf(departement),
    sousdepartement: departmentOf(sousdepartement || departement),
    titre,
    titre_en: rest.titre_en || titre,
    description: rest.description || titre,
    description_en: rest.description_en || rest.description || titre,
  }),
  identify: ({ nom = '', email = '' }) => `${nom}\n${email}`.toLowerCase(),
  nameOf: ({ nom = '' }) => nom,
  writers: {
    team: {
      ...employeeContent.importer,
      label: { fr: 'fiches d’équipe', en: 'team records' },
      check: async (values) => checkBy(employeeInput, { ...(values as object), publie: false }, columns),
      async create(tx, values) {
        const ids = await employeeContent.importer.create(tx, values)
        for (const [index, id] of ids.entries())
          await tx
            .update(employees)
            .set({ englishOlder: isBorrowed(values[index] as EmployeeInput) })
            .where(inArray(employees.id, [id]))
        return ids
      },
    },
  },
}
