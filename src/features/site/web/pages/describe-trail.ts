type Crumb = { name: string; path: string }

/** The way from the home page to this one, as search engines read it. */
export function describeTrail(origin: string, crumbs: Crumb[]) {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + path,
    })),
  }
}
