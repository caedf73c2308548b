import { useEffect } from 'react'
import { data, isRouteErrorResponse, useRouteError } from 'react-router'
import { ErrorView } from './error-view.tsx'
import { loadFullPage } from './full-page-load.ts'
import { NotFoundView } from './not-found-view.tsx'

/** An entry as the services or the API answer it; a page of its own, with its status, where there is none. */
export async function orNotFound<T>(found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    const { status } = error as { status?: unknown }
    // 400: the address holds no id at all.
    if (status === 404 || status === 400) throw data(null, { status: 404 })
    throw error
  }
}

/** The id in an address; anything else is an address that leads nowhere. */
export function readId(text: string) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw data(null, { status: 404 })
  return Number(text)
}

/** What stands in the layout where a page failed or its entry is gone; back on the network, it is tried again. */
export function PageErrorBoundary() {
  const error = useRouteError()
  useEffect(() => {
    const again = () => void loadFullPage(location.href)
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return isRouteErrorResponse(error) && error.status === 404 ? <NotFoundView /> : <ErrorView error={error} />
}
