import { z } from 'zod'
import { publishedName } from '../audit-log/published.ts'

/** Of `DATA_DIR`: the dump stands for the database, and a backup holds no backups. */
export const leftOut: ReadonlySet<string> = new Set(['database', 'backups', publishedName])
/** Where the dump is while an archive is made, and its name inside. */
export const workFolder = 'dump'

export const manifestSchema = z.object({
  made_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/), rows: z.int(), sha256: z.string() })),
  files: z.boolean(),
})
export type Manifest = z.infer<typeof manifestSchema>
