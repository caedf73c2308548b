import { z } from 'zod'
import type { Reader } from '#src/server/cache/content-cache.ts'
import { incident, network, ribbon } from '../contract.ts'
import { readRibbonDays, toRibbon } from './history.ts'
import { readIncidents } from './incident-list.ts'
import { readNetworks } from './service.ts'

/** All that the status page shows of the networks, in one answer. */
export const overview = z.object({
  networks: z.array(network),
  ribbons: z.array(ribbon),
  incidents: z.array(incident),
})
export type Overview = z.infer<typeof overview>

export const findOverview = (reader: Reader): Promise<Overview> =>
  reader.content.read('networks', 'overview', async () => {
    const [networks, days, incidents] = await Promise.all([readNetworks(reader), readRibbonDays(reader), readIncidents(reader)])
    return { networks, ribbons: days.map(toRibbon), incidents }
  })
