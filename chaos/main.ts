import { parseArgs } from 'node:util'
import { backup } from './backup.ts'
import { clock } from './clock.ts'
import { consoleFaults } from './console.ts'
import { compose } from './container/compose.ts'
import { machine } from './container/machine.ts'
import { claims } from './claims.ts'
import { cluster } from './cluster.ts'
import { databaseStopped } from './database-stopped.ts'
import { droppedResponses } from './dropped-responses.ts'
import { diskFull, migrationKilled } from './folder.ts'
import { formsLost } from './forms.ts'
import { importKilled } from './imports.ts'
import { inbox } from './inbox.ts'
import { killServer } from './kill-server.ts'
import { mailDown } from './mail-down.ts'
import { conversationReturns } from './returns.ts'
import { restartCrowd } from './restart-crowd.ts'
import { model } from './model/model.ts'
import { monitorLoad } from './monitors.ts'
import { push } from './push.ts'
import { outageMails } from './subscribers.ts'
import { sigterm } from './sigterm.ts'
import { owners } from './owners.ts'
import type { Row } from './row.ts'
import { update, updateDiskFull, updateOnPostgres, updateRefused } from './update.ts'
import { visits } from './visits.ts'
import { laptopAsleep, visitorOffline, visitorReloads } from './visitor-faults.ts'

/** Every fault, in the order of the table; `npm run chaos -- kill claims` runs only those named. The options are those of `model`. */
const rows: Row[] = [
  killServer,
  droppedResponses,
  visitorOffline,
  visitorReloads,
  conversationReturns,
  laptopAsleep,
  claims,
  owners,
  push,
  consoleFaults,
  mailDown,
  outageMails,
  inbox,
  importKilled,
  monitorLoad,
  formsLost,
  databaseStopped,
  sigterm,
  diskFull,
  migrationKilled,
  clock,
  backup,
  restartCrowd,
  cluster,
  update,
  updateOnPostgres,
  updateRefused,
  updateDiskFull,
  visits,
  model,
]
/** Those that need more than the product has with it. */
const onRequest: Row[] = [compose, machine]
const all = [...rows, ...onRequest]

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { hours: { type: 'string' }, matters: { type: 'string' }, lanes: { type: 'string' }, seed: { type: 'string' } },
})
const numberOf = (name: keyof typeof values, byDefault: number) => {
  const number = Number(values[name] ?? byDefault)
  if (number >= 0) return number
  process.stderr.write(`--${name} wants a number\n`)
  return process.exit(2)
}
const options = {
  hours: numberOf('hours', 0.1),
  matters: numberOf('matters', Number.POSITIVE_INFINITY),
  lanes: numberOf('lanes', 2),
  seed: numberOf('seed', Date.now() % 1_000_000),
}
const unknown = asked.filter((name) => !all.some((row) => row.name === name))
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(', ')}; the faults are ${all.map((row) => row.name).join(', ')}\n`)
  process.exit(2)
}

let failed = 0
for (const row of asked.length === 0 ? rows : all.filter(({ name }) => asked.includes(name))) {
  process.stdout.write(`\n${row.name}: ${row.fault}\n`)
  const startedAt = performance.now()
  const { good, figures } = await row.run(options)
  for (const [name, figure] of Object.entries(figures)) process.stdout.write(`  ${name}: ${figure}\n`)
  process.stdout.write(`  ${good ? 'good' : 'NOT GOOD'} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)\n`)
  if (!good) failed += 1
}
process.stdout.write(`\n${failed === 0 ? 'every fault was withstood' : `${failed} not withstood`}\n`)
process.exit(failed === 0 ? 0 : 1)
