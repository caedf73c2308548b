import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { randomUUID } from 'node:crypto'
import type { Importer, WholeCounts, WholeReport } from '#src/features/content/server/importing.ts'
import type { App } from '#src/server/types.ts'
import { pieceTables } from './archive.ts'
import { rememberCompanyFiles, rememberRows } from './imported-rows.ts'
import { loadArchive, requirePlace, unknownFile } from './load-archive.ts'
import type { Archive } from './read-archive.ts'
import { openArchive, unusable } from './read-archive.ts'
import { findLeftRows, hasRows, undoArchive } from './undo-archive.ts'

const companyFolder = 'company/'

/** An export of this product, into a product without content. */
export const guichetImporter: Importer = {
  kind: 'guichet',
  label: { fr: 'Une exportation de ce produit', en: 'An export of this product' },
  hint: {
    fr: 'L’archive ZIP que « Exporter » a faite, dans un produit encore sans contenu. Les utilisateurs arrivent verrouillés.',
    en: 'The ZIP archive that “Export” made, into a product that has no content yet. Users come locked.',
  },
  accept: '.zip',
  areas: [],
  writers: {},
  whole: {
    async check(app, path, report) {
      const archive = await openArchive(path, report)
      try {
        await requirePlace(app.db, archive)
        for (const name of archive.files) requireFolder(app, name)
        const kinds = [...archive.kinds.values()].map(({ name, rows }) => ({ name, rows }))
        return { ...(await countArchive(app, archive, report)), kinds: kinds.filter(({ rows }) => rows > 0) }
      } finally {
        await archive.close()
      }
    },
    async take(app, path, report, finish) {
      const archive = await openArchive(path, { ...report, onProgress: () => undefined })
      const workFolder = join(app.config.dataDir, 'imports', `work-${randomUUID()}`)
      try {
        for (const name of archive.files) requireFolder(app, name)
        const figures = await countArchive(app, archive, report)
        const total = sumOf(figures.created)
        const company = await unpackCompany(app, archive, report)
        await withStoredFiles(app, archive, report, workFolder, () =>
          app.db.transaction(async (tx) => {
            let done = 0
            const { joined: known, own } = await loadArchive(app, tx, archive, (rows) => {
              report.signal.throwIfAborted()
              done += rows
              report.onProgress(done, total)
            })
            for (const store of app.fileStores) await store.settle(tx)
            await rememberRows(tx, report.importId, own)
            if (company) await rememberCompanyFiles(tx, report.importId)
            await finish(tx, {
              ...figures,
              created: { ...figures.created, entries: (figures.created['entries'] ?? 0) - known },
              known,
            })
            report.signal.throwIfAborted()
            // The last step before the commit: what cannot be put in its place stops the import.
            if (company) await rename(company, app.config.companyDir)
          }),
        )
      } finally {
        await archive.close()
        for (const folder of [workFolder, partOf(app)]) await rm(folder, { recursive: true, force: true })
      }
    },
    undo: undoArchive,
    canUndo: hasRows,
    findLeft: findLeftRows,
  },
}

const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, one) => sum + one, 0)

async function countArchive(app: App, { kinds, files }: Archive, report: WholeReport): Promise<WholeCounts> {
  const entries = [...kinds.values()].reduce((sum, { rows }) => sum + rows, 0)
  const ofCompany = files.filter((name) => name.startsWith(companyFolder)).length
  const left = (await takesCompany(app, report)) ? 0 : ofCompany
  return {
    created: { entries, files: files.length - left },
    leftOut: left > 0 ? { company_files: left } : {},
    known: 0,
  }
}

/** They hold code that the next build runs: only who works on the server brings it, and never over files that are there. */
async function takesCompany({ config }: App, { isOnServer }: WholeReport) {
  const present = await readdir(config.companyDir).catch(() => [])
  return isOnServer && present.length === 0
}

function requireFolder(app: App, name: string) {
  const [folder = ''] = name.split('/')
  const store = app.fileStores.find((one) => one.folder === folder)
  const isKnown =
    ['pictures', 'company', ...pieceTables.map(([, , place]) => place)].includes(folder) ||
    store?.isKey(name.slice(folder.length + 1)) === true
  if (!isKnown) throw unusable(unknownFile(name))
}

/** The company's own files beside their place; null where there are none to take. */
async function unpackCompany(app: App, archive: Archive, report: WholeReport) {
  const names = archive.files.filter((name) => name.startsWith(companyFolder))
  if (names.length === 0 || !(await takesCompany(app, report))) return null
  const folder = partOf(app)
  await rm(folder, { recursive: true, force: true })
  for (const name of names) await unpack(archive, name, join(folder, name.slice(companyFolder.length)))
  return folder
}

/** On the same file system as their place. */
const partOf = ({ config }: App) => `${config.companyDir}.part`

async function unpack(archive: Archive, name: string, path: string) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(archive.readFile(name), createWriteStream(path, { mode: 0o600 }))
}

/** Stores the files that are outside of the database before their rows, and removes them where the rows do not come. */
async function withStoredFiles(
  app: App,
  archive: Archive,
  { signal }: WholeReport,
  workFolder: string,
  work: () => Promise<void>,
) {
  const stored = app.fileStores.map((store) => ({ store, keys: [] as string[] }))
  try {
    for (const { store, keys } of stored) {
      for (const name of archive.files.filter((one) => one.startsWith(`${store.folder}/`))) {
        signal.throwIfAborted()
        const key = name.slice(store.folder.length + 1)
        const path = join(workFolder, 'file')
        await unpack(archive, name, path)
        if (await store.store(app, key, path)) keys.push(key)
        await rm(path, { force: true })
      }
    }
    await work()
  } catch (error) {
    for (const { store, keys } of stored) if (keys.length > 0) await store.discard(app, keys)
    throw error
  }
}
