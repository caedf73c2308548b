import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { chromiumPath } from './e2e/chromium.ts'

/** End-to-end tests in Debian's Chromium against the production build; each worker starts its own product (e2e/fixtures.ts). */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/first-start.ts',
  fullyParallel: true,
  // Journeys wait for half of their time, as the tests of vitest.config.ts do.
  workers: availableParallelism() + 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: 'test-results',
  // Transcripts of the journeys by keyboard, the same on every machine.
  snapshotPathTemplate: '{testDir}/transcripts/{arg}{ext}',
  use: {
    ...devices['Desktop Chrome'],
    locale: 'fr-CA',
    timezoneId: 'America/Toronto',
    // A step that hangs is named, where the time of the whole journey would only say that it is over.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // Traces take half as long again: `playwright test --trace on` records them.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromiumPath,
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    },
  },
})
