type Redirect = { host: RegExp; path: string; parameters: readonly string[] }

/** Pages of Google and Outlook that lead to the address in a parameter, and learn who follows the link. */
const redirects: readonly Redirect[] = [
  { host: /^(?:www\.)?google\.(?:[a-z]{2,3})(?:\.[a-z]{2})?$/, path: '/url', parameters: ['q', 'url'] },
  { host: /\.safelinks\.protection\.outlook\.com$/, path: '/', parameters: ['url'] },
  { host: /^statics\.teams\.cdn\.office\.net$/, path: '/evergreen-assets/safelinks/', parameters: ['url'] },
]

/** Redirects within a redirect that are followed: each one is decoded whole, and a mail could nest thousands. */
const depthMax = 5

/** The address that a redirect of a mail or document service leads to; any other address as it is. */
export function unwrapLink(address: string, left = depthMax): string {
  if (left === 0 || !/^https?:/i.test(address) || !URL.canParse(address)) return address
  const { hostname, pathname, searchParams } = new URL(address)
  const redirect = redirects.find(({ host, path }) => host.test(hostname) && pathname.startsWith(path))
  const inside = redirect?.parameters.map((name) => searchParams.get(name)).find(Boolean)
  return inside && /^(?:https?:\/\/|mailto:|tel:)/i.test(inside) ? unwrapLink(inside, left - 1) : address
}
