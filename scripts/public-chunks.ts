import { resolve } from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import type { Plugin } from 'vite'
import { normalizePath } from 'vite'

/** Modules that this many public pages import belong to the shell. */
const manyPages = 7
/** The chat opens on any page: its imports count as if this many more pages imported them. */
const pagesOfChat = 3

/** `isInOthers`: non-public pages import it. */
type Use = { pages: number[]; isInFrame: boolean; isInChat: boolean; isInOthers: boolean }
type ModuleLinks = { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] }

/**
 * Groups the modules of public pages into few chunks, which compress better (6 KB on a first load). Grouped by which pages
 * import a module, never by name, so that a moved file loads as before.
 */
export function publicChunks(appDirectory: string, routes: readonly RouteConfigEntry[]) {
  const { frame, pages } = publicRoutes(routes)
  const idOf = (file: string) => normalizePath(resolve(appDirectory, file))
  const frameFiles = [clientEntry, 'root.tsx', ...frame].map(idOf)
  const pageFiles = pages.map(idOf)
  // Entries stay separate: in the shell, the page would start before its routes are loaded.
  const ownFiles = new Set([idOf(clientEntry), ...pageFiles])
  const chunks = new Map<string, string>()

  const plugin: Plugin = {
    name: 'public-chunks',
    applyToEnvironment: ({ name }) => name === 'client',
    buildEnd() {
      // Modules load in a different order each time: chunk names, and so sizes, would differ between builds of one source.
      const ids = [...this.getModuleIds()].toSorted()
      const follow = (files: readonly string[], next: (module: ModuleLinks) => readonly string[]) => {
        const found = new Set(ids.filter((id) => files.includes(fileOf(id))))
        for (const id of found) for (const imported of next(this.getModuleInfo(id) ?? noLinks)) found.add(imported)
        return found
      }
      const inFrame = follow(frameFiles, loadedWith)
      const inChat = follow(frameFiles, loadedEver)
      const byPage = pageFiles.map((file) => follow([file], loadedWith))
      const publicFiles = new Set([...frameFiles, ...pageFiles])
      const entries = ids.filter((id) => this.getModuleInfo(id)?.isEntry).map(fileOf)
      const inOthers = follow(
        entries.filter((file) => !publicFiles.has(file)),
        loadedEver,
      )
      const names = createNames()
      for (const id of ids) {
        if (ownFiles.has(fileOf(id))) continue
        const users = byPage.flatMap((modules, page) => (modules.has(id) ? [page] : []))
        const use = { pages: users, isInFrame: inFrame.has(id), isInChat: inChat.has(id), isInOthers: inOthers.has(id) }
        const chunk = chunkOf(id, use, names)
        if (chunk) chunks.set(id, chunk)
      }
    },
  }
  const isIn = (kind: string) => (id: string) => chunks.get(id)?.replace(/-\d+$/, '') === kind
  const groups = [
    { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
    // The router is separate from React, because one large file would block the main thread of a phone twice as long.
    { name: shell, test: isIn(shell) },
    ...sharedKinds.map((kind) => ({ debugName: kind, name: (id: string) => chunks.get(id) ?? null, test: isIn(kind) })),
  ]
  return { plugin, groups }
}

const shell = 'shell'
const clientEntry = 'entry.client.tsx'
const noLinks: ModuleLinks = { importedIds: [], dynamicallyImportedIds: [] }
const loadedWith = ({ importedIds }: ModuleLinks) => importedIds
const loadedEver = ({ importedIds, dynamicallyImportedIds }: ModuleLinks) => [...importedIds, ...dynamicallyImportedIds]
const fileOf = (id: string) => id.split('?', 1)[0] ?? id
const kindOf = (pages: number, isInChat: boolean) => `shared-by-${pages}${isInChat ? '-and-chat' : ''}`

/** A group includes the dependencies of its modules, which more pages use: groups of more pages come first. */
const sharedKinds = Array.from({ length: manyPages - 1 }, (_, index) => manyPages - 1 - index).flatMap((pages) => [
  kindOf(pages, true),
  kindOf(pages, false),
])

function chunkOf(id: string, { pages, isInFrame, isInChat, isInOthers }: Use, nameOf: (kind: string, pages: number[]) => string) {
  if (isInFrame || pages.length + (isInChat ? pagesOfChat : 0) >= manyPages) return shell
  if (pages.length === 0) return undefined
  // One style sheet for all public pages: a second one is another request before the first paint.
  if (id.endsWith('.css')) return shell
  if (pages.length === 1 && !isInOthers) return undefined
  // Modules shared by the chat and some pages must not load the rest of what these pages share.
  return nameOf(kindOf(pages.length, isInChat), pages)
}

/** A name for each set of pages. */
function createNames() {
  const numbers = new Map<string, number>()
  return (kind: string, pages: number[]) => {
    const key = `${kind} ${pages.join(' ')}`
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return `${kind}-${number}`
  }
}

/** The public layout is the one without a path. */
function publicRoutes(routes: readonly RouteConfigEntry[]) {
  const all = routes.filter(({ path, index }) => path === undefined && !index).flatMap(withChildren)
  const filesOf = (some: RouteConfigEntry[]) => [...new Set(some.map(({ file }) => file))]
  return { frame: filesOf(all.filter(({ children }) => children)), pages: filesOf(all.filter(({ children }) => !children)) }
}

const withChildren = (route: RouteConfigEntry): RouteConfigEntry[] => [route, ...(route.children ?? []).flatMap(withChildren)]
