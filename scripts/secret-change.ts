// `npm run secret:change [-- --lost]`: changes to a new SESSION_SECRET; FORMER_SESSION_SECRET is the previous one.
import { ConfigError, readConfig } from '#src/server/config.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { changeSecret } from '#src/server/secrets/change-secret.ts'

const usage = `Usage: FORMER_SESSION_SECRET=… npm run secret:change
       npm run secret:change -- --lost        where nobody has the former one: second factors must be set up again`

async function run() {
  const [flag, ...rest] = process.argv.slice(2)
  const former = process.env.FORMER_SESSION_SECRET
  const isLost = flag === '--lost'
  if (rest.length > 0 || (flag && !isLost) || isLost === Boolean(former)) throw new ConfigError(usage)
  process.stdout.write(`${await changeSecret(readConfig(process.env), former || null)}\n`)
}

run().catch((error: unknown) => {
  const isKnown = error instanceof FolderInUse || error instanceof ConfigError
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
