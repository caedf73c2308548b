import { resolve } from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import type { Plugin } from 'vite'
import { normalizePath } from 'vite'

/** Modules that at least as many public pages import are loaded with the first of them. */
const manyPages = 7
/** The chat opens on any page: what it imports counts as if so many pages more imported it. */
const pagesOfChat = 3

/** `isInOthers`: pages that are not public import it. */
type Use = { pages: number[]; isInFrame: boolean; isInChat: boolean; isInOthers: boolean }
type ModuleLinks = { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] }

/**
 * Puts what public pages load into few files: few compress better than many (6 KB on a first load). Decided by which
 * pages import a module, never by its name, so that a file that moves is loaded as before.
 */
export function publicChunks(appDirectory: string, routes: readonly RouteConfigEntry[]) {
  const { frame, pages } = publicRoutes(routes)
  const idOf = (file: string) => normalizePath(resolve(appDirectory, file))
  const frameFiles = [clientEntry, 'root.tsx', ...frame].map(idOf)
  const pageFiles = pages.map(idOf)
  // Entries stay files of their own: run with the shell, the page would start before its routes are there.
  const ownFiles = new Set([idOf(clientEntry), ...pageFiles])
  const chunks = new Map<string, string>()

  const plugin: Plugin = {
    name: 'public-chunks',
    applyToEnvironment: ({ name }) => name === 'client',
    buildEnd() {
      const ids = [...this.getModuleIds()]
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
    // The router is not in one file with React, which would block a phone twice as long in one go.
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

/** A group takes along what its modules import, which as many pages or more use: those groups come first. */
const sharedKinds = Array.from({ length: manyPages - 1 }, (_, index) => manyPages - 1 - index).flatMap((pages) => [
  kindOf(pages, true),
  kindOf(pages, false),
])

function chunkOf(id: string, { pages, isInFrame, isInChat, isInOthers }: Use, nameOf: (kind: string, pages: number[]) => string) {
  if (isInFrame || pages.length + (isInChat ? pagesOfChat : 0) >= manyPages) return shell
  if (pages.length === 0) return undefined
  // One style sheet for every public page: a second one is another connection before anything is painted.
  if (id.endsWith('.css')) return shell
  if (pages.length === 1 && !isInOthers) return undefined
  // What the chat has in common with some pages must not load the rest of what these have in common.
  return nameOf(kindOf(pages.length, isInChat), pages)
}

/** One name for each set of pages. */
function createNames() {
  const numbers = new Map<string, number>()
  return (kind: string, pages: number[]) => {
    const key = `${kind} ${pages.join(' ')}`
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return `${kind}-${number}`
  }
}

/** The public site is the layout that has no path of its own. */
function publicRoutes(routes: readonly RouteConfigEntry[]) {
  const all = routes.filter(({ path, index }) => path === undefined && !index).flatMap(withChildren)
  const filesOf = (some: RouteConfigEntry[]) => [...new Set(some.map(({ file }) => file))]
  return { frame: filesOf(all.filter(({ children }) => children)), pages: filesOf(all.filter(({ children }) => !children)) }
}

const withChildren = (route: RouteConfigEntry): RouteConfigEntry[] => [route, ...(route.children ?? []).flatMap(withChildren)]
