import { features } from '../src/app/features.ts'

/** Every public page whose address does not depend on the database. */
export const publicPaths = features.flatMap(({ publicPaths = [] }) => publicPaths)

/** The home page, people and postings have journeys of their own. */
export const publicAddresses = publicPaths.filter((path) => path !== '/')

/** The four are French only. */
export const isTutorial = (address: string) => address.endsWith('_tutorial')
