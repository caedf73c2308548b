import { createHash } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { ImportColumn, Importer } from '#src/features/content/server/importing.ts'
import { checkBy, Refused } from '#src/features/content/server/importing.ts'
import { email, isoDateTime, requiredText } from '#src/lib/schemas.ts'
import { deleteSubscribers, tokenOf } from './subscriptions.ts'
import { subscribers } from './subscriber-table.ts'

const columns: ImportColumn[] = [
  {
    name: 'email',
    label: { fr: 'Courriel', en: 'Email' },
    others: ['e-mail', 'adresse de courriel', 'adresse courriel', 'email address', 'mail'],
    isRequired: true,
  },
  {
    name: 'consent_at',
    label: { fr: 'Date du consentement', en: 'Consent date' },
    others: ['consentement le', 'consent at', 'opt-in time', 'optin time', 'confirm time', 'date', 'subscribed at', 'inscrit le'],
    isRequired: true,
  },
  {
    name: 'consent_text',
    label: { fr: 'Texte du consentement', en: 'Consent text' },
    others: ['consentement', 'consent', 'opt-in text', 'optin text'],
    isRequired: true,
  },
  { name: 'language', label: { fr: 'Langue', en: 'Language' }, others: ['lang', 'locale'] },
  { name: 'topics', label: { fr: 'Sujets', en: 'Topics' }, others: ['sujet', 'topic', 'liste', 'list'] },
]

const subscriber = z.object({
  email,
  consent_at: isoDateTime,
  consent_text: requiredText(2_000),
  language: z.enum(['fr', 'en']),
  topics: z.array(z.enum(['outages', 'maintenance', 'news'])).min(1),
})
type Subscriber = z.infer<typeof subscriber>

const topicWords: [RegExp, Subscriber['topics'][number]][] = [
  [/panne|outage|incident/i, 'outages'],
  [/entretien|maintenance/i, 'maintenance'],
  [/nouvelle|news|infolettre/i, 'news'],
]

/** A date as lists write it: ISO, or day and time without a zone, which is taken as UTC. */
export function readMoment(written: string): string | null {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?/.exec(written.trim()) ?? []
  const zone = /(?:Z|[+-]\d\d:?\d\d)$/.exec(written.trim().slice(11))?.[0] ?? 'Z'
  const at = new Date(`${day}T${time.length === 5 ? `${time}:00` : time}${zone}`)
  return day && !Number.isNaN(at.getTime()) ? at.toISOString() : null
}

const alreadySubscribed = { fr: 'Cette adresse est déjà dans les abonnés.', en: 'This address is already a subscriber.' }
const otherAddress = {
  fr: 'Son adresse a changé à la source. Corrigez-la ici, pour que la personne la confirme.',
  en: 'Its address changed at the source. Correct it here, so that the person confirms it.',
}
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Subscribers with the proof of their consent; nothing is sent to them. */
export const subscriberImporter: Importer = {
  kind: 'subscribers',
  label: { fr: 'Abonnés aux avis', en: 'Notice subscribers' },
  hint: {
    fr: 'CSV ou JSON Lines : courriel, date et texte du consentement, langue',
    en: 'CSV or JSON Lines: email, date and text of the consent, language',
  },
  accept: '.csv,.tsv,.txt,.jsonl,.ndjson',
  areas: ['networks'],
  columns,
  toValues({ email: address = '', consent_at = '', consent_text = '', language = '', topics = '' }) {
    const at = readMoment(consent_at)
    if (at === null)
      throw new Refused({
        fr: `Date du consentement : « ${consent_at.slice(0, 60)} » n’est pas une date (2026-11-23).`,
        en: `Consent date: “${consent_at.slice(0, 60)}” is not a date (2026-11-23).`,
      })
    const named = topicWords.flatMap(([pattern, topic]) => (pattern.test(topics) ? topic : []))
    return {
      email: address,
      consent_at: at,
      consent_text,
      language: /^en/i.test(language) ? 'en' : 'fr',
      // Without a list, never the news: their consent would have to name them.
      topics: named.length > 0 ? named : ['outages', 'maintenance'],
    }
  },
  identify: ({ email: address = '' }) => address.toLowerCase(),
  nameOf: ({ email: address = '' }) => address,
  writers: {
    subscribers: {
      area: 'networks',
      label: { fr: 'abonnés', en: 'subscribers' },
      path: '/admin/reseau/abonnes',
      check: async (values) => {
        const input = checkBy(subscriber, values, columns)
        if (Date.parse(input.consent_at) > Date.now())
          throw new Refused({ fr: 'La date du consentement est dans l’avenir.', en: 'The consent date is in the future.' })
        return input
      },
      async findTaken(db, values) {
        const lower = sql<string>`lower(${subscribers.email})`
        const given = (values as Subscriber[]).map((one) => one.email.toLowerCase())
        const rows = await db.select({ email: lower }).from(subscribers).where(inArray(lower, given))
        const taken = new Set(rows.map((row) => row.email))
        return given.map((one) => (taken.has(one) ? alreadySubscribed : null))
      },
      async create(tx, values) {
        const now = new Date()
        const rows = await tx
          .insert(subscribers)
          .values(
            (values as Subscriber[]).map((one) => ({
              email: one.email,
              language: one.language,
              networks: null,
              topics: one.topics,
              state: 'active' as const,
              consentText: one.consent_text,
              consentAt: new Date(one.consent_at),
              consentAddress: '',
              confirmedAt: new Date(one.consent_at),
              linkSentAt: now,
            })),
          )
          .returning({ id: subscribers.id, linkGeneration: subscribers.linkGeneration })
        const links = rows.map((row) => sql`(${row.id}::int, ${hashOf(tokenOf(tx, row))})`)
        await tx.execute(
          sql`update ${subscribers} set link_hash = made.hash from (values ${sql.join(links, sql`, `)}) as made (id, hash) where ${subscribers.id} = made.id`,
        )
        return rows.map(({ id }) => id)
      },
      async remove(tx, ids) {
        await deleteSubscribers(tx, inArray(subscribers.id, ids))
      },
      async findMarks(tx, ids) {
        const rows = await tx
          .select({ id: subscribers.id, state: subscribers.state, at: subscribers.updatedAt })
          .from(subscribers)
          .where(inArray(subscribers.id, ids))
        return new Map(rows.map(({ id, state, at }) => [id, `${state} ${at.toISOString()}`]))
      },
      async findNames(db, ids) {
        const { id, email: name } = subscribers
        const rows = await db.select({ id, name }).from(subscribers).where(inArray(id, ids))
        return new Map(rows.map((row) => [row.id, row.name]))
      },
      async update(tx, id, values) {
        const { email: address, language, topics, consent_text, consent_at } = values as Subscriber
        const [stored] = await tx.select({ email: subscribers.email }).from(subscribers).where(eq(subscribers.id, id))
        // Nobody confirmed that the other address is theirs.
        if (stored?.email.toLowerCase() !== address.toLowerCase()) throw new Refused(otherAddress)
        await tx
          .update(subscribers)
          .set({ language, topics, consentText: consent_text, consentAt: new Date(consent_at), updatedAt: new Date() })
          .where(eq(subscribers.id, id))
      },
    },
  },
}
