import { Agent, get } from 'node:http'
import { administrator } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { pause } from './clients.ts'
import { startInstances } from './instances.ts'
import type { Row } from './row.ts'

const views = 100_000
const readers = 24
const paths = ['/', '/reseau', '/team', '/contact?utm_source=infolettre&utm_campaign=novembre']
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
/** Counts are stored within this time. */
const storedWithinMs = 15_000

export const visits: Row = {
  name: 'visits',
  fault: `${views} views over three instances, each restarted in turn`,
  async run() {
    const instances = await startInstances()
    const all = [instances.a, instances.b, instances.c]
    const agent = new Agent({ keepAlive: true, maxSockets: readers })
    const seen = { views: 0, campaign: 0 }
    let asked = 0
    const read = async () => {
      while (asked < views) {
        const number = (asked += 1)
        const path = paths[number % paths.length] ?? '/'
        const isCampaign = path.includes('utm_')
        for (let attempt = 0; ; attempt += 1) {
          const origin = all[(number + attempt) % all.length]?.address() ?? ''
          if (await view(agent, origin + path)) break
          await pause(50)
        }
        seen.views += 1
        if (isCampaign) seen.campaign += 1
      }
    }
    const reading = Promise.all(Array.from({ length: readers }, read))
    for (const [turn, one] of all.entries()) {
      while (asked < ((turn + 1) * views) / (all.length + 1)) await pause(50)
      await one.restart('SIGTERM')
    }
    await reading
    const client = await createTestClient(instances.a.address()).arrive()
    await client.post('/api/auth/login', administrator)
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto' }).format(new Date())
    const count = async (by: string, key: string, field: 'views' | 'visits') => {
      const { body } = await client.get<{ key: string; views: number; visits: number }[]>(
        `/api/visits?from=${day}&to=${day}&by=${by}`,
      )
      return body.find((row) => row.key === key)?.[field] ?? 0
    }
    const until = Date.now() + storedWithinMs
    while ((await count('day', day, 'views')) < seen.views && Date.now() < until) await pause(500)
    const counted = { views: await count('day', day, 'views'), campaign: await count('campaign', 'novembre', 'visits') }
    agent.destroy()
    await instances.stop()
    const isClose = (one: number, other: number) => Math.abs(one - other) <= other / 100
    return {
      good: isClose(counted.views, seen.views) && isClose(counted.campaign, seen.campaign),
      figures: {
        'views answered': seen.views,
        'views counted': counted.views,
        'visits of the campaign': seen.campaign,
        'of them counted': counted.campaign,
      },
    }
  },
}

/** True where the whole page came. */
function view(agent: Agent, url: string) {
  return new Promise<boolean>((resolve) => {
    const request = get(url, { agent, headers: { 'user-agent': browser } }, (response) => {
      response.on('error', () => resolve(false))
      response.on('end', () => resolve(response.complete && response.statusCode === 200))
      response.resume()
    })
    request.on('error', () => resolve(false))
  })
}
