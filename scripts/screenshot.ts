// Takes the picture of the README: `npm run screenshot`, after a build.
import { chromium } from '@playwright/test'
import { startProduct } from '../e2e/product.ts'

const product = await startProduct()
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    locale: 'fr-CA',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  await page.goto(product.address(), { waitUntil: 'networkidle' })
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: 'docs/screenshot.png' })
} finally {
  await browser.close()
  await product.stop()
}
