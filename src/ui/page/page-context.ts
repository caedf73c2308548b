import { createContext } from 'react-router'
import type { PageContext } from '#src/server/pages/pages.ts'

/** Set by entry.server.tsx for each request, for loaders and actions on the server. */
export const pageContext = createContext<PageContext>()
