import { useEffect } from 'react'
import type { NetworkStatus } from '#src/features/networks/values.ts'

const icons: Record<NetworkStatus, string> = {
  OK: '/favicon.svg',
  WARNING: '/favicon-warning.svg',
  ERROR: '/favicon-error.svg',
}

/** The tab's icon tells the state of the network; the server's page keeps the plain one, which search engines show. */
export function useTabIcon(status: NetworkStatus | null) {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon) return
    icon.href = icons[status ?? 'OK']
    return () => {
      icon.href = icons.OK
    }
  }, [status])
}
