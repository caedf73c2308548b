import type { Label } from '#src/lib/feature.ts'

const secret: Label = { fr: 'secret', en: 'secret' }
const derived: Label = { fr: 'calculé à partir du reste', en: 'computed from the rest' }
const passing: Label = { fr: 'ne vaut que pendant que le produit fonctionne', en: 'valid only while the product runs' }
const inFiles: Label = { fr: 'dans files/', en: 'in files/' }
const lists: Label = { fr: 'liste des importations et des exportations', en: 'list of imports and exports' }

/** Tables that an export leaves out, and why. Every other table is exported. */
export const leftOutTables: Readonly<Record<string, Label>> = {
  sessions: secret,
  password_links: secret,
  recovery_codes: secret,
  push_devices: secret,
  push_keys: secret,
  erasures: secret,
  chat_texts: derived,
  request_texts: derived,
  chat_figures: derived,
  recording_peaks: derived,
  push_calls: passing,
  unanswered_calls: passing,
  chat_offers: passing,
  technicians: passing,
  request_presence: passing,
  request_trap_counts: passing,
  recording_plays: passing,
  recording_stray_files: passing,
  inbox_state: passing,
  network_monitor_status: passing,
  network_product_beats: passing,
  network_mailings: passing,
  uploads: passing,
  chat_file_pieces: inFiles,
  request_file_pieces: inFiles,
  inbox_pieces: inFiles,
  application_file_pieces: inFiles,
  imports: lists,
  import_entries: lists,
  import_refusals: lists,
  data_exports: lists,
  imported_rows: lists,
}

/** Columns with a secret, with what is only of use beside one, or about an import. */
export const leftOutColumns: Readonly<Record<string, readonly string[]>> = {
  applications: ['content_hash'],
  chats: ['key'],
  former_journals: ['seal'],
  mails: ['secret', 'is_imported'],
  network_monitors: ['token_hash'],
  network_subscribers: ['link_hash', 'link_generation'],
  requests: ['link_hash', 'link_generation', 'link_made_at', 'content_hash'],
  users: ['password_hash', 'totp_secret', 'totp_last_step', 'imported'],
}

/** What the migrations store about themselves. */
export const ownTables: readonly string[] = ['migrations', 'late_indexes']
