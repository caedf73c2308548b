import { features } from '../src/app/features.ts'

/** Every public page whose address does not depend on the database. */
export const publicPaths = features.flatMap(({ publicPaths = [] }) => publicPaths)

/** The home page, employees and postings have their own tests. */
export const publicAddresses = publicPaths.filter((path) => path !== '/')

/** Tutorials, in French only. */
export const isTutorial = (address: string) => address.endsWith('_tutorial')
