import { inArray, sql } from 'drizzle-orm'
import type { ImportColumn, Importer } from '#src/features/content/server/importing.ts'
import { checkBy, cut } from '#src/features/content/server/importing.ts'
import type { CannedInput } from '../contract.ts'
import { cannedInput } from '../contract.ts'
import { cannedContent } from './console-routes.ts'
import { cannedReplies } from './table.ts'

const replyColumns: ImportColumn[] = [
  {
    name: 'shortcut',
    label: { fr: 'Raccourci', en: 'Shortcut' },
    others: ['short_code', 'shortcode', 'titre', 'title', 'name', 'nom', 'code'],
    isRequired: true,
  },
  {
    name: 'reply',
    label: { fr: 'Texte de la réponse', en: 'Response text' },
    others: ['réponse', 'reply', 'response', 'content', 'contenu', 'message', 'texte', 'text', 'français', 'french', 'fr'],
    isRequired: true,
  },
  {
    name: 'reply_en',
    label: { fr: 'Texte de la réponse (Anglais)', en: 'Response text (English)' },
    others: ['réponse (anglais)', 'anglais', 'english', 'en', 'reply (english)'],
  },
]

const shortcutTaken = { fr: 'Ce raccourci est déjà utilisé ici.', en: 'This shortcut is already used here.' }

/** Canned responses: staff send them by hand, so that none is a draft. */
export const replyImporter: Importer = {
  kind: 'replies',
  label: { fr: 'Réponses prédéfinies', en: 'Canned responses' },
  hint: { fr: 'CSV ou JSON Lines : raccourci, texte, texte anglais', en: 'CSV or JSON Lines: shortcut, text, English text' },
  accept: '.csv,.tsv,.txt,.jsonl,.ndjson',
  areas: ['chat'],
  columns: replyColumns,
  // A title of several words becomes a shortcut.
  toValues: ({ shortcut = '', reply = '', reply_en = '' }) => ({
    shortcut: cut(
      shortcut
        .replace(/^\//, '')
        .trim()
        .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-'),
      40,
    ),
    reply,
    reply_en,
  }),
  identify: ({ shortcut = '' }) => shortcut.toLowerCase(),
  nameOf: ({ shortcut = '' }) => shortcut,
  writers: {
    replies: {
      ...cannedContent.importer,
      label: { fr: 'réponses prédéfinies', en: 'canned responses' },
      path: '/admin/chat/replies',
      check: async (values) => checkBy(cannedInput, values, replyColumns),
      /** A shortcut that is there already stays what it was. */
      findTaken: async (db, values) => {
        const shortcuts = (values as CannedInput[]).map(({ shortcut }) => shortcut.toLowerCase())
        const lower = sql<string>`lower(${cannedReplies.shortcut})`
        const rows = await db.select({ shortcut: lower }).from(cannedReplies).where(inArray(lower, shortcuts))
        const taken = new Set(rows.map(({ shortcut }) => shortcut))
        return (values as CannedInput[]).map(({ shortcut }) => (taken.has(shortcut.toLowerCase()) ? shortcutTaken : null))
      },
    },
  },
}
