import { eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { ImportColumn, ImportContext, Importer } from '#src/features/content/server/importing.ts'
import { checkBy, Refused } from '#src/features/content/server/importing.ts'
import { coversRights } from '#src/lib/rights.ts'
import type { Database } from '#src/server/database/database.ts'
import { userInput } from '../../contract.ts'
import { groups, users } from '../../server/table.ts'

const columns: ImportColumn[] = [
  {
    name: 'username',
    label: { fr: 'Nom d’utilisateur', en: 'Username' },
    others: ['login', 'user', 'identifiant', 'compte', 'account'],
  },
  { name: 'first_name', label: { fr: 'Prénom', en: 'First name' }, others: ['firstname', 'given name'] },
  { name: 'last_name', label: { fr: 'Nom de famille', en: 'Last name' }, others: ['nom', 'lastname', 'surname', 'family name'] },
  { name: 'display_name', label: { fr: 'Nom affiché', en: 'Display name' }, others: ['nom complet', 'full name', 'name'] },
  {
    name: 'email',
    label: { fr: 'Courriel', en: 'Email' },
    others: ['e-mail', 'adresse de courriel', 'email address', 'mail'],
    isRequired: true,
  },
  { name: 'group', label: { fr: 'Groupe d’accès', en: 'Access group' }, others: ['groupe', 'role', 'rôle'], isRequired: true },
]

const account = userInput
  .pick({ username: true, first_name: true, last_name: true, display_name: true, email: true })
  .extend({ group: z.string() })
type Account = z.infer<typeof account> & { id_group: number }

const taken = {
  fr: 'Un compte d’ici, ou plus haut dans la source, a déjà ce nom d’utilisateur.',
  en: 'An account here, or further up in the source, already has this username.',
}
/** By trial: the usernames that its earlier batches would have taken. */
const tried = new WeakMap<object, string[]>()

/** Accounts come locked and without a password: an invitation is a second step. */
export const userImporter: Importer = {
  kind: 'users',
  label: { fr: 'Utilisateurs', en: 'Users' },
  hint: {
    fr: 'CSV ou JSON Lines : nom d’utilisateur, nom, courriel, groupe d’accès. Les comptes arrivent verrouillés.',
    en: 'CSV or JSON Lines: username, name, email, access group. Accounts come locked.',
  },
  accept: '.csv,.tsv,.txt,.jsonl,.ndjson',
  areas: ['users', 'groups'],
  columns,
  toValues: ({ username = '', first_name = '', last_name = '', display_name = '', email = '', group = '' }) => ({
    username: username || (email.split('@')[0] ?? ''),
    first_name,
    last_name,
    display_name: display_name || `${first_name} ${last_name}`.trim() || email,
    email,
    group,
  }),
  identify: ({ email = '', username = '' }) => (username || email).toLowerCase(),
  nameOf: ({ display_name = '', email = '' }) => display_name || email,
  writers: {
    users: {
      area: 'users',
      label: { fr: 'comptes verrouillés', en: 'locked accounts' },
      path: '/admin/user_edit/:id',
      async check(values, context) {
        const input = checkBy(account, values, columns)
        return { ...input, id_group: await findGroup(context, input.group) }
      },
      async findTaken(db, values, trial) {
        const lower = sql<string>`lower(${users.username})`
        const given = (values as Account[]).map(({ username }) => username.toLowerCase())
        const rows = await db.select({ name: lower }).from(users).where(inArray(lower, given))
        const names = new Set(rows.map(({ name }) => name).concat((trial && tried.get(trial)) ?? []))
        const found = given.map((name) => {
          const isTaken = names.has(name)
          // Two addresses may give one name.
          names.add(name)
          return isTaken ? taken : null
        })
        if (trial) tried.set(trial, [...names])
        return found
      },
      async create(tx, values) {
        const rows = await tx
          .insert(users)
          .values(
            (values as Account[]).map((one) => ({ ...toRow(one), username: one.username, passwordHash: null, locked: true })),
          )
          .returning({ id: users.id })
        return rows.map(({ id }) => id)
      },
      // The address of an account is how its password is asked for: only its names follow the source.
      async update(tx, id, values) {
        const { firstName, lastName, displayName } = toRow(values as Account)
        await tx
          .update(users)
          .set({ firstName, lastName, displayName, version: sql`${users.version} + 1`, updatedAt: new Date() })
          .where(eq(users.id, id))
      },
      async remove(tx, ids) {
        await tx.delete(users).where(inArray(users.id, ids))
      },
      async findMarks(tx, ids) {
        const { id, version, locked, passwordHash } = users
        const rows = await tx.select({ id, version, locked, passwordHash }).from(users).where(inArray(id, ids))
        return new Map(rows.map((row) => [row.id, `${row.version} ${row.locked} ${row.passwordHash !== null}`]))
      },
      async findNames(db, ids) {
        const rows = await db.select({ id: users.id, name: users.displayName }).from(users).where(inArray(users.id, ids))
        return new Map(rows.map(({ id, name }) => [id, name]))
      },
    },
  },
}

const toRow = ({ first_name, last_name, display_name, email, id_group }: Account) => ({
  firstName: first_name,
  lastName: last_name,
  displayName: display_name,
  email,
  groupId: id_group,
})

/** The group of this name, where whoever imports may give it. */
async function findGroup({ db, userId }: ImportContext, name: string) {
  const [group] = await db
    .select()
    .from(groups)
    .where(eq(sql`lower(${groups.name})`, name.trim().toLowerCase()))
  if (!group)
    throw new Refused({
      fr: `Le groupe d’accès « ${name.slice(0, 80)} » n’existe pas ici. Créez-le d’abord.`,
      en: `The access group “${name.slice(0, 80)}” does not exist here. Create it first.`,
    })
  if (userId !== null && !coversRights(await findRights(db, userId), group.rights))
    throw new Refused({
      fr: 'Ce groupe a des droits que vous n’avez pas vous-même.',
      en: 'This group has rights that you do not have yourself.',
    })
  return group.id
}

async function findRights(db: Database, userId: number) {
  const [own] = await db
    .select({ rights: groups.rights })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(eq(users.id, userId))
  return own?.rights ?? {}
}
