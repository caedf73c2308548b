import { publicPaths } from '../src/app/discovery/public-paths.ts'

/** The home page, people and postings have journeys of their own. */
export const publicAddresses = publicPaths.filter((path) => path !== '/')

/** The four are French only. */
export const isTutorial = (address: string) => address.endsWith('_tutorial')
