/** How long a page may keep silent before the visitor is told. */
export const pageTimeoutMs = 10_000

/**
 * Leaves for a page by a full load, once the server is known to answer for it: the browser would put its own error page
 * in place of this one. Resolves to false where nothing answers, or a proxy for a server that is away.
 */
export async function loadFullPage(href: string, signal?: AbortSignal) {
  try {
    const { status } = await fetch(href, { redirect: 'manual', signal })
    // 511: a network that wants its own sign-in first shows it in place of the page.
    if (status > 500 && status !== 511) return false
  } catch (error) {
    console.warn(error)
    return false
  }
  // To the same address it would only scroll.
  if (href === location.href) location.reload()
  else location.assign(href)
  return true
}

/** The same for the page that the address names already; once, so that a page which always fails does not load for ever. */
export async function loadFullPageOnce(signal: AbortSignal) {
  const state = history.state as { whole?: true } | null
  if (state?.whole) return false
  history.replaceState({ ...state, whole: true }, '')
  return loadFullPage(location.href, signal)
}
