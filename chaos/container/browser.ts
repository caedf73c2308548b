import { chromium } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '../../e2e/chromium.ts'
import { expect, hydrated, signIn } from '../../e2e/fixtures.ts'
import { fillIn, forms } from '../../e2e/request-forms.ts'
import { openCounter } from '../../e2e/technician.ts'
import { logIn, open, say, words } from '../../e2e/visitor.ts'

const picture = fileURLToPath(new URL('../../public/icon-512.png', import.meta.url))
const title = 'Câblage et réseaux à Québec'

/** A visitor and an administrator in two browsers: a form that staff reads, a page whose title and picture they change, and a chat. */
export async function useInBrowsers(origin: string, credentials: { username: string; password: string }) {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--ignore-certificate-errors'] })
  try {
    const problems: string[] = []
    const openPage = async () => {
      const page = await browser.newPage({ baseURL: origin, locale: 'fr-CA' })
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`)
      })
      return page
    }
    const [visitor, staff] = [await openPage(), await openPage()]

    const { path, send, number } = forms.contact
    await visitor.goto(path)
    await hydrated(visitor)
    await fillIn(visitor, 'contact', 'Rappelez-moi.')
    await visitor.getByRole('button', { name: send }).click()
    const reference = await visitor.getByText(number).textContent()
    await signIn(staff, credentials)
    await staff.goto('/admin/demandes')
    await expect(staff.getByText(String(reference)).first()).toBeVisible()

    await staff.goto('/admin/recherche_partage')
    await staff.getByRole('button', { name: 'Éditer Infrastructure' }).click()
    await staff.getByLabel('Titre de la page', { exact: true }).fill(title)
    await staff.getByLabel('Image de partage').setInputFiles(picture)
    await expect(staff.locator('img[src^="/media/"]').first()).toBeVisible()
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByRole('row', { name: /Infrastructure.*Texte du bureau/ })).toBeVisible()

    await staff.goto('/admin/chat')
    await expect(staff.getByRole('heading', { level: 1 })).toBeVisible()
    const counter = await openCounter(staff, origin)
    await open(visitor, 'fr', words.fr)
    await logIn(visitor, words.fr, 'Annie')
    await say(visitor, words.fr, 'Bonjour')
    await expect.poll(() => counter.find('Annie').catch(() => 0)).toBeGreaterThan(0)
    await counter.say(await counter.claim('Annie'), 'Un instant')
    await expect(visitor.getByRole('log')).toContainText('Un instant')
    await counter.leave()
    return problems
  } finally {
    await browser.close()
  }
}

/** Whether a visitor sees the title and gets the picture that the administrator gave to a page. */
export async function seesEdit(origin: string) {
  const page = await (await fetch(`${origin}/infrastructure`)).text()
  const image = /property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? 'none'
  const { status, headers } = await fetch(new URL(image, origin))
  return (
    page.includes(`<title>${title} | `) &&
    image.includes('/media/') &&
    status === 200 &&
    headers.get('content-type') === 'image/jpeg'
  )
}
