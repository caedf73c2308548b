import { features } from '../src/app/features.ts'
import routes from '../src/routes.ts'

type Route = { path?: string | undefined; children?: Route[] | undefined }

/** Public pages at fixed addresses and pages of one entry, without the sign-in redirect and the 404 page. */
export function publicPages() {
  const pages = (routes as Route[]).filter(({ path }) => path === undefined).flatMap(pathsUnder)
  return [...features.flatMap(({ publicPaths = [] }) => publicPaths), ...pages.filter((path) => path.includes(':'))]
}

const pathsUnder = ({ path, children }: Route): string[] => children?.flatMap(pathsUnder) ?? (path ? [`/${path}`] : [])

export function adminAddresses() {
  const layout = (routes as Route[]).find(({ path }) => path === 'admin')
  return (layout?.children ?? []).flatMap(({ path }) => (path ? [`/admin/${path}`] : []))
}

/** API path that lists the entries of an address; a public one has the same id name as the page that edits them. */
export function findList(name: string, address: string) {
  // Many pages call theirs `:id`: such a page has its own list alone.
  const related = name === ':id' ? [address] : [address, ...adminAddresses()].filter((one) => one.includes(name))
  const own = new Set(related.map((one) => one.replace(name, ':id')))
  return features.flatMap(({ entries = [] }) => entries).find(({ path, list }) => list && path && own.has(path))?.list
}
