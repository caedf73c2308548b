import { useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '#src/root.tsx'

/** The site's origin, such as `https://www.example.com`. */
export function useOrigin() {
  return useRouteLoaderData<typeof rootLoader>('root')?.origin ?? ''
}
