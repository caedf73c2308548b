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

/** API path that lists the entries of an address; a public one has the same id name as the one page that edits them. */
export function findList(name: string, address: string) {
  const entries = features.flatMap((feature) => feature.entries ?? [])
  const entryAt = (one: string) => entries.find(({ path }) => path === one.replace(name, ':id'))
  const own = entryAt(address)
  if (own) return own.list
  // Many pages call theirs `:id`, and two may call theirs alike: only one that is alone tells whose the id is.
  const [edited, ...others] = adminAddresses().filter((one) => name !== ':id' && one.includes(name))
  return edited && others.length === 0 ? entryAt(edited)?.list : undefined
}
