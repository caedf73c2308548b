import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

const apiTests = ['src/**/*.api.test.ts']
/** Tests for the embedded database only. */
const embeddedTests = ['src/**/*.pglite.test.ts']
/** Tests for PostgreSQL only. */
const postgresTests = ['src/**/*.postgres.test.ts']
/** Time limits that only a test which hangs reaches, however busy the machine is. */
const server = { include: apiTests, pool: 'forks', testTimeout: 120_000, hookTimeout: 180_000 } as const

/**
 * As in a server that has run for long: V8 stops optimizing once it has compiled about 1 MB of regular expressions, and an
 * expression then overflows its stack on a few megabytes.
 */
const longRunning = ['--no-regexp-optimization']

/** API tests spend a tenth of their time on garbage collection, and most of their objects live for a moment only. */
const roomy = ['--max-semi-space-size=32']
/** V8 would optimize the code of the embedded database again in each process, which takes longer than it saves. */
const embedded = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

/** Files that take a minute, however small they are: begun last they would run alone. */
const longest = /\/chaos\/|new-feature\.pglite|restore\.pglite/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)))
  }
}

/** Unit tests beside the code, and the same API tests on the embedded database and on a real PostgreSQL. */
export default defineConfig({
  test: {
    // API tests wait for mail, sockets and databases half of their time, in which others can run.
    maxWorkers: availableParallelism() + 2,
    // A process loads the code once for all its files; each test has its own product and database anyway.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A condition is waited for as long as a busy machine needs.
    expect: { poll: { timeout: 30_000 } },
    env: { NODE_ENV: 'test', LOG_LEVEL: 'silent', TZ: 'UTC' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'company/**/*.test.ts'],
          exclude: [...apiTests, ...embeddedTests, ...postgresTests],
          pool: 'forks',
          execArgv: longRunning,
          // A busy machine takes twenty times as long for the same test.
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...server,
          include: [...apiTests, ...embeddedTests],
          name: 'api-pglite',
          env: { TEST_DATABASE: 'pglite' },
          execArgv: [...longRunning, ...roomy, ...embedded],
          globalSetup: ['src/server/testing/pglite-template.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...server,
          include: [...apiTests, ...postgresTests],
          name: 'api-postgres',
          env: { TEST_DATABASE: 'postgres' },
          execArgv: roomy,
          globalSetup: ['src/server/testing/postgres-server.ts'],
        },
      },
      // Three processes of the product, with a PostgreSQL and a Redis that are stopped and restarted.
      { extends: true, test: { ...server, include: ['chaos/**/*.test.ts'], name: 'instances', hookTimeout: 240_000 } },
    ],
  },
})
