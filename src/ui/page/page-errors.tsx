import { useEffect } from 'react'
import { data, isRouteErrorResponse, useRouteError } from 'react-router'
import { ErrorView } from './error-view.tsx'
import { loadFullPage } from './full-page-load.ts'
import { NotFoundView } from './not-found-view.tsx'

/** Returns the found entry; throws a 404 response for the error boundary where there is none. */
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

/** Parses the id in an address; throws a 404 response where it is not one. */
export function readId(text: string) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw data(null, { status: 404 })
  return Number(text)
}

/** Error boundary of a layout, for a failed page or a deleted entry; retries when the network is back. */
export function PageErrorBoundary() {
  const error = useRouteError()
  useEffect(() => {
    const again = () => void loadFullPage(location.href)
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return isRouteErrorResponse(error) && error.status === 404 ? <NotFoundView /> : <ErrorView error={error} />
}
