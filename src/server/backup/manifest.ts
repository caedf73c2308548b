import { z } from 'zod'
import { publishedName } from '../audit-log/published.ts'
import { rewritingsName } from '../database/rewriting-file.ts'
import { erasuresName } from '../erasures/erasures-file.ts'
import { rehearsalFolder, updateCopyFolder } from '../update/places.ts'

/** In `DATA_DIR` until the first sign-in, where the output of the start is kept in a journal. */
export const firstPasswordName = 'first-password'
/** In `DATA_DIR` but not archived: the dump replaces the database, and a backup contains no backups and no password. */
export const leftOut: ReadonlySet<string> = new Set([
  'database',
  'backups',
  'database-copy',
  updateCopyFolder,
  rehearsalFolder,
  'exports',
  'uploads',
  publishedName,
  // Beside the archive instead: one that is inside would be as old as the rows that it must erase.
  erasuresName,
  rewritingsName,
  firstPasswordName,
])
/** Copy of the embedded database that is being dumped. */
export const copyFolder = 'database-copy'
/** Folder of the dump while the archive is written, and its name inside. */
export const workFolder = 'dump'

export const manifestSchema = z.object({
  made_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/), rows: z.int(), sha256: z.string() })),
  files: z.boolean(),
})
export type Manifest = z.infer<typeof manifestSchema>
