/** How long to wait for a page before the visitor is informed, in milliseconds. */
export const pageTimeoutMs = 10_000

/**
 * Navigates by a full page load once the server answers for the address; otherwise the browser would show its own error page.
 * Resolves to false where nothing answers, or a proxy reports that the server is down.
 */
export async function loadFullPage(href: string, signal?: AbortSignal) {
  try {
    const { status } = await fetch(href, { redirect: 'manual', signal })
    // 511: a captive portal shows its sign-in in place of the page.
    if (status > 500 && status !== 511) return false
  } catch (error) {
    console.warn(error)
    return false
  }
  // Assigning the same address would only scroll.
  if (href === location.href) location.reload()
  else location.assign(href)
  return true
}

/** The same for the current address; only once, so that a page that always fails does not reload for ever. */
export async function loadFullPageOnce(signal: AbortSignal) {
  const state = history.state as { whole?: true } | null
  if (state?.whole) return false
  history.replaceState({ ...state, whole: true }, '')
  return loadFullPage(location.href, signal)
}
