import { serverFeature } from '#src/features/content/server/feature.ts'
import { and, eq, isNotNull } from 'drizzle-orm'
import { hasRight } from '#src/lib/rights.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { imports } from '../feature.ts'
import { fileMaxBytes, undoDays } from '../values.ts'
import { importRoutes, requireUploader } from './routes.ts'
import { purgeImports } from './run.ts'
import { wordpressImporter } from './wordpress.ts'
import { importEntries, importRefusals, imports as table } from './table.ts'

/** Staff created an entry by hand. */
const isWritten = and(eq(auditLog.action, 'create'), isNotNull(auditLog.userId))

export const importsServer = serverFeature(imports, {
  api: { '/api/imports': importRoutes },
  importers: [wordpressImporter],
  uploads: { imports: { maxBytes: fileMaxBytes, check: requireUploader } },
  async findSetup({ db }, { rights }) {
    if (!hasRight(rights, 'company', 'administrator')) return []
    const [tried] = await db.select({ id: table.id }).from(table).limit(1)
    // Whoever writes entries by hand has nothing to bring.
    const [written] = tried ? [tried] : await db.select({ id: auditLog.id }).from(auditLog).where(isWritten).limit(1)
    return [
      {
        name: 'import',
        short: { fr: 'Importer', en: 'Import' },
        label: { fr: 'Reprendre vos données', en: 'Bring your data' },
        hint: {
          fr: 'Demandes, abonnés, utilisateurs et réponses d’un autre système arrivent d’un fichier.',
          en: 'Requests, subscribers, users and responses of another system come from a file.',
        },
        path: '/admin/importer',
        is_done: written !== undefined,
      },
    ]
  },
  personalColumns,
  impersonalColumns,
  tableEnds: [
    {
      tables: [table, importEntries],
      label: { fr: 'Importations', en: 'Imports' },
      reason: {
        fr: 'Sans elles, une deuxième importation de la même source créerait tout en double. Les identifiants de la source y sont des empreintes.',
        en: 'Without them, a second import of the same source would create everything twice. The IDs of the source are hashed in them.',
      },
    },
    {
      tables: [importRefusals],
      label: { fr: 'Entrées refusées et fichiers jamais importés', en: 'Refused entries and files never imported' },
      days: undoDays,
      purge: purgeImports,
    },
  ],
})
