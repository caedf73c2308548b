import type { Label } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages } from '#src/lib/language/language.ts'
import { defineTexts, translator } from '#src/lib/language/texts.ts'
import type { ExportedKind } from './archive.ts'

export const readmeTexts = defineTexts({
  fr: {
    title: 'Toutes les données de cette entreprise',
    kinds:
      'Chaque type de fiche est un fichier JSON Lines (une fiche par ligne, en UTF-8, dans l’ordre des numéros) avec son schéma JSON Schema à côté.',
    files:
      'files/ contient les fichiers : photos (pictures/), pièces jointes (chat_files/, request_files/, application_files/), courriels reçus (inbox_mails/), enregistrements d’appels (recordings/) et fichiers de l’entreprise (company/). Le nom commence par le numéro ou la clé de la fiche.',
    sums: 'SHA256SUMS contient la somme de chaque fichier. Pour la vérifier : sha256sum --check SHA256SUMS',
    rows: 'Fiches',
    kind: 'Type',
    leftOut: 'Ce qui n’y est pas',
    reason: 'Raison',
    missing: 'Fichiers qui manquaient déjà',
    missingWhy: 'Leur fiche existe, mais leur fichier n’était plus sur le serveur au moment de l’exportation.',
    columns: 'Colonnes secrètes laissées de côté : {columns}.',
  },
  en: {
    title: 'All data of this company',
    kinds:
      'Each kind of entry is a JSON Lines file (one entry a line, in UTF-8, in the order of ids) with its JSON Schema beside it.',
    files:
      'files/ has the files: photos (pictures/), attachments (chat_files/, request_files/, application_files/), received emails (inbox_mails/), call recordings (recordings/) and files of the company (company/). A name begins with the number or the key of its entry.',
    sums: 'SHA256SUMS has the checksum of each file. To verify it: sha256sum --check SHA256SUMS',
    rows: 'Entries',
    kind: 'Kind',
    leftOut: 'What is not in it',
    reason: 'Reason',
    missing: 'Files that were already missing',
    missingWhy: 'Their entry exists, but their file was no longer on the server when this export was made.',
    columns: 'Secret columns left out: {columns}.',
  },
})

type Contents = {
  kinds: readonly ExportedKind[]
  tables: Readonly<Record<string, Label>>
  columns: Readonly<Record<string, readonly string[]>>
  /** Files of entries that were not where they should be. */
  missing: readonly string[]
}

/** What is in an export, in both languages. */
export function describeExport({ kinds, tables, columns, missing }: Contents) {
  const left = Object.entries(columns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  const describe = (language: Language) => {
    const t = translator(readmeTexts, language)
    return [
      `# ${t('title')}`,
      t('kinds'),
      t('files'),
      t('sums'),
      [`| ${t('kind')} | ${t('rows')} |`, '|---|---|', ...kinds.map(({ kind, rows }) => `| ${kind} | ${rows} |`)].join('\n'),
      `## ${t('leftOut')}`,
      [
        `| ${t('kind')} | ${t('reason')} |`,
        '|---|---|',
        ...Object.entries(tables).map(([name, reason]) => `| ${name} | ${reason[language]} |`),
      ].join('\n'),
      t('columns', { columns: left.join(', ') }),
      ...(missing.length > 0 ? [`## ${t('missing')}`, t('missingWhy'), missing.map((name) => `- ${name}`).join('\n')] : []),
    ].join('\n\n')
  }
  return `${languages.map(describe).join('\n\n')}\n`
}
