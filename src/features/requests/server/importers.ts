import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { ImportColumn, Importer } from '#src/features/content/server/importing.ts'
import { checkBy, Refused } from '#src/features/content/server/importing.ts'
import { email, isoDateTime, limits, requiredText, text } from '#src/lib/schemas.ts'
import { languages } from '#src/lib/language/language.ts'
import { foldText } from '#src/lib/text/plain-text.ts'
import { users } from '../../people/server/table.ts'
import { priorities, requestStatuses } from '../values.ts'
import { addEntry } from './entries.ts'
import { deleteRequests, takeReference } from './service.ts'
import { requests } from './table.ts'

const columns: ImportColumn[] = [
  {
    name: 'name',
    label: { fr: 'Nom', en: 'Name' },
    others: ['client', 'customer', 'requester', 'demandeur', 'contact', 'from', 'nom complet', 'full name', 'requester name'],
  },
  {
    name: 'email',
    label: { fr: 'Courriel', en: 'Email' },
    others: ['e-mail', 'adresse de courriel', 'email address', 'requester email', 'customer email', 'courriel du client'],
    isRequired: true,
  },
  { name: 'phone', label: { fr: 'Téléphone', en: 'Phone' }, others: ['telephone', 'tél', 'mobile'] },
  { name: 'subject', label: { fr: 'Objet', en: 'Subject' }, others: ['sujet', 'title', 'titre', 'summary', 'résumé'] },
  {
    name: 'message',
    label: { fr: 'Message', en: 'Message' },
    others: ['description', 'body', 'text', 'texte', 'contenu', 'content', 'détails', 'details'],
    isRequired: true,
  },
  { name: 'status', label: { fr: 'Statut', en: 'Status' }, others: ['état', 'state'] },
  { name: 'priority', label: { fr: 'Priorité', en: 'Priority' }, others: ['urgence', 'urgency'] },
  {
    name: 'created_at',
    label: { fr: 'Date', en: 'Date' },
    others: ['créée le', 'créé le', 'created', 'created at', 'created time', 'date de création', 'opened', 'ouverte le'],
  },
  {
    name: 'done_at',
    label: { fr: 'Résolue le', en: 'Resolved on' },
    others: ['closed at', 'closed', 'resolved at', 'resolved', 'fermée le', 'fermé le', 'closed time'],
  },
  {
    name: 'assigned_to',
    label: { fr: 'Responsable', en: 'Assigned to' },
    others: ['assignee', 'agent', 'owner', 'technicien', 'technician', 'assigné à', 'attribuée à'],
  },
  { name: 'language', label: { fr: 'Langue', en: 'Language' }, others: ['lang', 'locale'] },
]

const request = z.object({
  name: requiredText(limits.name),
  email,
  phone: text(limits.phone),
  subject: text(limits.title),
  message: requiredText(100_000),
  status: z.enum(requestStatuses),
  priority: z.enum(priorities),
  created_at: isoDateTime.nullable(),
  done_at: isoDateTime.nullable(),
  assigned_to: z.string(),
  language: z.enum(languages),
})
type ImportedRequest = z.infer<typeof request>

const statusWords: [RegExp, ImportedRequest['status']][] = [
  [
    /(?:^|[^a-z])(?:un|in|non|not|pas)[^a-z]*(?:(?:encore|yet)[^a-z]+)?(?:re)?(?:solu|solved|gle|ferme|clos|done|termine|complet)/,
    'open',
  ],
  [/resolu|regle|ferme|clos|done|solved|termine|complete/, 'done'],
  [/attente|waiting|pending|hold/, 'waiting'],
  [/cours|progress|open|ouvert|assign/, 'open'],
  [/nouv|new|^$/, 'new'],
]
const priorityWords: [RegExp, ImportedRequest['priority']][] = [
  [/urgent|critical|critique|^4$|p1/, 'urgent'],
  [/haut|high|eleve|^3$|p2/, 'high'],
  [/bas|low|faible|^1$|p4/, 'low'],
]

function findWord<Word>(words: readonly [RegExp, Word][], written: string) {
  const folded = foldText(written.trim())
  return words.find(([pattern]) => pattern.test(folded))?.[1]
}

/** ISO 8601, with or without time and zone; a time without a zone is UTC. */
function readMoment(name: string, written: string) {
  const value = written.trim()
  if (value === '') return null
  const isPlain = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/.test(value)
  const at = new Date(isPlain ? `${value.replace(' ', 'T')}${value.length > 10 ? 'Z' : 'T00:00:00Z'}` : value)
  if (!/^\d{4}-/.test(value) || Number.isNaN(at.getTime())) {
    const label = columns.find((column) => column.name === name)?.label ?? { fr: name, en: name }
    throw new Refused({
      fr: `${label.fr} : « ${value.slice(0, 60)} » n’est pas une date (2026-11-23 14:05).`,
      en: `${label.en}: “${value.slice(0, 60)}” is not a date (2026-11-23 14:05).`,
    })
  }
  return at.toISOString()
}

/** Requests of another system, with their dates and states; no goal starts and nobody is notified. */
export const requestImporter: Importer = {
  kind: 'requests',
  label: { fr: 'Demandes', en: 'Requests' },
  hint: {
    fr: 'CSV ou JSON Lines d’un système de billets : courriel, objet, message, statut, date',
    en: 'CSV or JSON Lines of a ticket system: email, subject, message, status, date',
  },
  accept: '.csv,.tsv,.txt,.jsonl,.ndjson',
  areas: ['requests'],
  columns,
  toValues(row) {
    const status = findWord(statusWords, row.status ?? '')
    if (!status)
      throw new Refused({
        fr: `Statut : « ${row.status?.slice(0, 60)} » n’est ni nouvelle, ni en cours, ni en attente, ni résolue.`,
        en: `Status: “${row.status?.slice(0, 60)}” is not new, in progress, waiting or resolved.`,
      })
    const created_at = readMoment('created_at', row.created_at ?? '')
    return {
      name: row.name || row.email,
      email: row.email ?? '',
      phone: row.phone ?? '',
      subject: row.subject ?? '',
      message: row.message ?? '',
      status,
      priority: findWord(priorityWords, row.priority ?? '') ?? 'normal',
      created_at,
      done_at: status === 'done' ? (readMoment('done_at', row.done_at ?? '') ?? created_at) : null,
      assigned_to: (row.assigned_to ?? '').toLowerCase(),
      language: /^en/i.test(row.language ?? '') ? 'en' : 'fr',
    }
  },
  nameOf: ({ subject = '', message = '' }) => subject || message.slice(0, 80),
  writers: {
    requests: {
      area: 'requests',
      label: { fr: 'demandes', en: 'requests' },
      path: '/admin/demandes/:id',
      async check(values) {
        const input = checkBy(request, values, columns)
        if (input.created_at && Date.parse(input.created_at) > Date.now())
          throw new Refused({ fr: 'Sa date est dans l’avenir.', en: 'Its date is in the future.' })
        return input
      },
      async create(tx, values) {
        const all = values as ImportedRequest[]
        const assigned = await findUsers(tx, all)
        const ids: number[] = []
        for (const one of all) {
          const createdAt = one.created_at ? new Date(one.created_at) : new Date()
          const { name, email: address, phone, subject, message, status, priority, language } = one
          const [row] = await tx
            .insert(requests)
            .values({
              ...{
                kind: 'support',
                reference: await takeReference(tx, 'support'),
                name,
                email: address,
                phone,
                subject,
                message,
              },
              ...{
                status,
                priority,
                language,
                createdAt,
                updatedAt: createdAt,
                assignedTo: assigned.get(one.assigned_to) ?? null,
              },
              doneAt: one.done_at ? new Date(one.done_at) : null,
              waitingSince: status === 'waiting' ? createdAt : null,
            })
            .returning({ id: requests.id })
          if (!row) throw new Error('the request was not stored')
          const entry = {
            requestId: row.id,
            kind: 'customer',
            channel: 'form',
            author: name,
            authorEmail: address,
            createdAt,
          } as const
          await addEntry(tx, { ...entry, text: message })
          ids.push(row.id)
        }
        return ids
      },
      async update(tx, id, values) {
        const { subject, status, priority, done_at } = values as ImportedRequest
        const [before] = await tx.select({ version: requests.version }).from(requests).where(eq(requests.id, id)).for('update')
        await tx
          .update(requests)
          .set({
            subject,
            status,
            priority,
            doneAt: done_at ? new Date(done_at) : null,
            version: (before?.version ?? 0) + 1,
            updatedAt: new Date(),
          })
          .where(eq(requests.id, id))
      },
      async remove(tx, ids) {
        await deleteRequests(tx, inArray(requests.id, ids))
      },
      async findMarks(tx, ids) {
        const rows = await tx
          .select({ id: requests.id, version: requests.version, at: requests.updatedAt })
          .from(requests)
          .where(and(inArray(requests.id, ids)))
        return new Map(rows.map(({ id, version, at }) => [id, `${version} ${at.toISOString()}`]))
      },
      async findNames(db, ids) {
        const { id, reference, subject } = requests
        const rows = await db.select({ id, reference, subject }).from(requests).where(inArray(id, ids))
        return new Map(rows.map((row) => [row.id, [row.reference, row.subject].filter(Boolean).join(' ')]))
      },
    },
  },
}

/** Users by email or user name, for who was responsible. */
async function findUsers(tx: Parameters<typeof addEntry>[0], all: readonly ImportedRequest[]) {
  const wanted = new Set(all.map(({ assigned_to }) => assigned_to).filter(Boolean))
  const found = new Map<string, number>()
  if (wanted.size === 0) return found
  for (const user of await tx
    .select({ id: users.id, email: users.email, username: users.username, name: users.displayName })
    .from(users))
    for (const key of [user.email, user.username, user.name])
      if (key && wanted.has(key.toLowerCase())) found.set(key.toLowerCase(), user.id)
  return found
}
