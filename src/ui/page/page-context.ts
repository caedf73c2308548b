import { createContext } from 'react-router'
import type { PageContext } from '#src/server/pages/pages.ts'

/** Set by entry.server.tsx for each request; loaders and actions read it, the browser never does. */
export const pageContext = createContext<PageContext>()
