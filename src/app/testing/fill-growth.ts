import { sql } from 'drizzle-orm'
import { storeFormerFigures } from '#src/features/chat/server/figures.ts'
import { chainStart, contentOf, hashOf } from '#src/server/audit-log/chain.ts'
import type { Database } from '#src/server/database/database.ts'

/** Records of each kind. One chat has fifteen messages, one request three entries. */
export type Amounts = { chats: number; requests: number; notes: number; auditEntries: number }

const words = `array['bonjour','imprimante','réseau','fibre','téléphonie','courriel','mot','passe','routeur','panne','lente','serveur',
  'écran','sauvegarde','licence','facture','technicien','merci','demain','québec','montréal','connexion','wifi','poste','numéro',
  'transfert','boîte','vocale','accès','distance','portable','clavier','souris','mise','jour','logiciel','compte','bloqué','urgent']`

const fiveYearsMs = 1_825 * 86_400_000

/** Times spread over five years, the newest last. */
const spread = (number: string, amount: number) => `now() - (${amount} - ${number}) * interval '1825 days' / ${amount}`

const areas = ['requests', 'chat', 'notes', 'networks', 'users']
const entriesAtOnce = 2_000

/** Events over five years, chained as a version without a key chained them. */
function* auditLogParts(amount: number) {
  const start = Date.now() - fiveYearsMs
  let hash = chainStart
  for (let first = 1; first <= amount; first += entriesAtOnce) {
    const entries = []
    for (let number = first; number < first + entriesAtOnce && number <= amount; number += 1) {
      const entry = {
        at: new Date(start + Math.floor((fiveYearsMs * number) / amount) - 60_000),
        userName: `Technicien ${number % 20}`,
        address: '192.0.2.1',
        area: areas[number % 5] ?? '',
        action: 'update',
        entryId: String(number % 3_000),
        before: { a: 1, email: `client${number % 999}@example.com` },
        after: { a: 2 },
      }
      hash = hashOf(null, hash, contentOf({ ...entry, userId: null }))
      entries.push({ ...entry, user_name: entry.userName, entry_id: entry.entryId, hash })
    }
    yield entries
  }
}

/**
 * Fills a migrated database, also one of an earlier version, by SQL with what a company gathers over five years. Yields after
 * each step with its name: at a large size a step takes minutes. The audit log is a true chain, which the first start seals.
 */
export async function* fillGrowth(db: Database, { chats, requests, notes, auditEntries }: Amounts) {
  const step = (statement: string) => db.execute(sql.raw(statement))
  // One text for each chat and request at the end, instead of one for each message.
  await step(`create function filler(seed int, length int) returns text language sql immutable as $$
    select string_agg((${words})[1 + abs(hashint4(seed * 31 + i)) % 39], ' ') from generate_series(1, length) i $$`)
  const hasTable = async (name: string) => {
    const { rows } = (await db.execute(sql`select to_regclass(${name}) as found`)) as { rows: { found: string | null }[] }
    return rows[0]?.found != null
  }
  const hasEntries = await hasTable('request_entries')
  const followed = ['chats', 'chat_messages', 'requests', ...(hasEntries ? ['request_entries'] : [])]
  for (const table of followed) await step(`alter table ${table} disable trigger user`)
  await step(`with made as (insert into groups (name, rights) values ('growth', '{}') returning id)
    insert into users (username, display_name, group_id) select 'growth-' || n, 'Technicien ' || n, made.id from made, generate_series(1, 20) n`)
  const user = (number: string) => `(select min(id) from users where username like 'growth-%') + ${number} % 20`
  yield 'users'
  await step(`insert into chats (key, client_name, client_email, status, user_id, last_seq, created_at, updated_at, claimed_at, closed_at)
    select 'growth-' || n, 'Client ' || n, 'client' || n % ${Math.ceil(chats / 4)} || '@example.com',
      case when n > ${chats} - 50 then 'claimed' else 'closed' end, ${user('n')}, 15,
      ${spread('n', chats)}, ${spread('n', chats)}, ${spread('n', chats)} + interval '20 seconds',
      case when n > ${chats} - 50 then null else ${spread('n', chats)} + interval '10 minutes' end from generate_series(1, ${chats}) n`)
  yield 'chats'
  await step(`insert into chat_messages (chat_id, seq, message, from_staff, user_name, sent_at)
    select id, s, filler(id * 17 + s, 12) || case when (id * 15 + s) % 5000 = 0 then ' ornithorynque' else '' end, s % 2 = 0,
      'Zoé', created_at + s * interval '40 seconds' from chats, generate_series(1, 15) s`)
  yield 'messages'
  await step(`insert into mails (message_id, recipient, subject, body, state, created_at)
    select 'growth-' || n, 'support@example.com', 'Demande', filler(n, 30), 'sent', ${spread('n', requests)} from generate_series(1, ${requests}) n`)
  await step(`insert into requests (reference, kind, status, name, email, subject, message, language, mail_id, assigned_to, created_at, updated_at)
    select 'G-' || n, 'support', case when n > ${requests} - 200 then 'open' else 'done' end, 'Personne ' || n % 4000,
      'client' || n % ${Math.ceil(requests / 3)} || '@example.com', filler(n, 4), filler(n * 7, 40), 'fr',
      (select min(id) from mails where message_id like 'growth-%') + n - 1, ${user('n')}, ${spread('n', requests)}, ${spread('n', requests)}
    from generate_series(1, ${requests}) n`)
  // A person with a hundred requests, to be erased.
  await step(`update requests set email = 'erased@example.com' where id % ${Math.ceil(requests / 100)} = 0`)
  await step(
    hasEntries
      ? `insert into request_entries (request_id, kind, channel, author, text, created_at)
        select id, case when s = 1 then 'customer' else 'reply' end, 'mail', name, filler(id * 13 + s, 30), created_at + s * interval '1 hour'
        from requests, generate_series(1, 3) s`
      : `insert into request_comments (request_id, user_name, body, created_at)
        select id, 'Zoé', filler(id * 13 + s, 30), created_at + s * interval '1 hour' from requests, generate_series(1, 3) s`,
  )
  yield 'requests'
  await step(`insert into notes (note_date, note, note_en, created_at, updated_at)
    select 'Jour ' || n, filler(n, 60), filler(n, 60), ${spread('n', notes)}, ${spread('n', notes)} from generate_series(1, ${notes}) n`)
  await step(`insert into networks (name, status, details) select 'Réseau ' || n, 'ONLINE',
    (select jsonb_agg(jsonb_build_object('nom', 'Service ' || e, 'nom_en', 'Service ' || e, 'statut', 'OK')) from generate_series(1, 25) e)
    from generate_series(1, 120) n`)
  if (await hasTable('network_element_changes')) {
    await step(`insert into network_element_changes (network_id, element, to_status, at, author)
      select id, 'Service ' || e, 'OK', now() - interval '200 days', 'x' from networks, generate_series(1, 25) e`)
  }
  yield 'networks and notes'
  for (const entries of auditLogParts(auditEntries)) {
    await db.execute(sql`insert into journal (at, user_name, address, area, action, entry_id, before, after, hash)
      select * from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (at timestamptz, user_name text, address text,
        area text, action text, entry_id text, before jsonb, after jsonb, hash text)`)
  }
  yield 'the audit log'
  if (await hasTable('chat_texts')) await fillSearchTexts(step)
  for (const table of followed) await step(`alter table ${table} enable trigger user`)
  yield 'the texts for searches'
  if (await hasTable('chat_figures')) for (let below = chats + 1; below > 0;) below = await storeFormerFigures(db, below)
  await step('analyze')
  yield 'the figures of the chats'
}

async function fillSearchTexts(step: (statement: string) => Promise<unknown>) {
  // Built at the end: row by row, an index of trigrams takes ten times as long.
  await step('drop index if exists chat_texts_trigrams, request_texts_trigrams, chat_texts_parts, request_texts_parts')
  await step(`insert into chat_texts (chat_id, text) select chats.id, search_text(concat_ws(E'\\n', client_name, client_email,
    (select string_agg(message, E'\\n') from chat_messages where chat_id = chats.id))) from chats where status = 'closed'`)
  await step(`insert into request_texts (request_id, text) select requests.id, search_text(concat_ws(E'\\n', reference, name, email, message,
    (select string_agg(request_entries.text, E'\\n') from request_entries where request_id = requests.id))) from requests`)
  await step(`do $$ begin if exists (select from pg_extension where extname = 'pg_trgm') then
    create index chat_texts_trigrams on chat_texts using gin (text gin_trgm_ops) with (fastupdate = off);
    create index request_texts_trigrams on request_texts using gin (text gin_trgm_ops) with (fastupdate = off);
  end if; if to_regprocedure('short_parts(text)') is not null then
    create index chat_texts_parts on chat_texts using gin (short_parts(text));
    create index request_texts_parts on request_texts using gin (short_parts(text));
  end if; end $$`)
}
