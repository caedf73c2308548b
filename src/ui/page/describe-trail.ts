import type { BreadcrumbList } from 'schema-dts'

type Crumb = { name: string; path: string }

/** A schema.org `BreadcrumbList`. */
export function describeTrail(origin: string, crumbs: Crumb[]) {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + path,
    })),
  } satisfies BreadcrumbList
}
