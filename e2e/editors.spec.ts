import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { clips } from './clipboards.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

/** Pastes or drops into an element what another program left on the clipboard. */
async function give(target: Locator, kind: 'paste' | 'drop', clip: { html?: string; text?: string; file?: string }) {
  await target
    .evaluate(
      async (element, { kind: type, html, text, file }) => {
        // The editor learns of a selection by an event that comes after the key, before the next frame.
        await new Promise(requestAnimationFrame)
        const data = new DataTransfer()
        if (html) data.setData('text/html', html)
        if (html ?? text) data.setData('text/plain', text ?? 'x')
        if (file)
          data.items.add(new File([Uint8Array.from([1])], file, { type: file.endsWith('png') ? 'image/png' : 'application/pdf' }))
        const { left, top } = element.getBoundingClientRect()
        const options = { bubbles: true, cancelable: true }
        const event =
          type === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, ...options })
            : new DragEvent('drop', { dataTransfer: data, clientX: left + 20, clientY: top + 20, ...options })
        element.dispatchEvent(event)
        // The browser opens what is dropped where nothing takes it.
        return event.defaultPrevented
      },
      { kind, ...clip },
    )
    .then((isTaken) => expect(isTaken || clip.text !== undefined).toBe(true))
}

const htmlOf = (element: Element) => {
  const copy = element.cloneNode(true) as Element
  for (const helper of copy.querySelectorAll('.ProseMirror-trailingBreak, .ProseMirror-separator')) helper.remove()
  for (const link of copy.querySelectorAll('a')) for (const name of ['rel', 'target', 'class']) link.removeAttribute(name)
  return copy.innerHTML
}

test('pastes from Word, Google Docs, Outlook and plain text keep their meaning, and each undo is exact', async ({ staff }) => {
  await staff.goto('/admin/emploi_nouveau')
  const text = staff.getByRole('textbox', { name: 'Description', exact: true })
  const editor = staff.locator('.editor').filter({ has: text })
  await text.click()
  await staff.keyboard.type('Avant')
  for (const [name, { html, text: plain, becomes, says }] of Object.entries(clips)) {
    await staff.keyboard.press('Control+a')
    await give(text, 'paste', { ...(html && { html }), ...(plain && { text: plain }) })
    expect.soft(await text.evaluate(htmlOf), name).toBe(becomes)
    await expect.soft(editor.getByRole('status'), name).toHaveText(says ?? '')
    await staff.keyboard.press('Control+z')
    expect.soft(await text.evaluate(htmlOf), `undo of ${name}`).toBe('<p>Avant</p>')
  }
})

test('the link dialog is used by keyboard alone: Ctrl+K adds, changes and removes a link, and opens the palette elsewhere', async ({
  staff,
}) => {
  await staff.goto('/admin/emploi_nouveau')
  const text = staff.getByRole('textbox', { name: 'Description', exact: true })
  await text.click()
  await staff.keyboard.type('Postuler')
  await staff.keyboard.press('Shift+Home')
  await staff.keyboard.press('Control+k')
  const dialog = staff.getByRole('dialog', { name: 'Ajouter ou modifier un lien' })
  await expect(dialog.getByLabel('Adresse')).toBeFocused()
  await staff.keyboard.press('Control+k')
  await staff.keyboard.type('www.google.com/url?q=https://example.com/a')
  await staff.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  const link = text.getByRole('link', { name: 'Postuler' })
  await expect(link).toHaveAttribute('href', 'https://example.com/a')

  await expect(text).toBeFocused()
  await staff.keyboard.press('ArrowLeft')
  await staff.keyboard.press('ArrowRight')
  // From the toolbar too.
  await staff.keyboard.press('Alt+F10')
  await staff.keyboard.press('Control+k')
  await expect(dialog.getByLabel('Adresse')).toHaveValue('https://example.com/a')
  await expect(dialog.getByLabel('Adresse')).toBeFocused()
  await expectAccessible(staff)
  await staff.keyboard.press('End')
  await staff.keyboard.type('/b')
  await staff.keyboard.press('Enter')
  await expect(link).toHaveAttribute('href', 'https://example.com/a/b')

  await expect(text).toBeFocused()
  await staff.keyboard.press('Control+k')
  await expect(dialog.getByLabel('Adresse')).toBeFocused()
  await staff.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Supprimer le lien' })).toBeFocused()
  await staff.keyboard.press('Enter')
  await expect(text.getByRole('link')).toHaveCount(0)
  await expect(text).toHaveText('Postuler')

  await staff.getByLabel('Titre', { exact: true }).press('Control+k')
  await expect(staff.getByRole('dialog').getByRole('combobox')).toBeFocused()
})

test('a pasted or dropped picture, a stray file and a text that is too long are explained where they happen', async ({
  staff,
}) => {
  await staff.goto('/admin/emploi_nouveau')
  const text = staff.getByRole('textbox', { name: 'Description', exact: true })
  const editor = staff.locator('.editor').filter({ has: text })
  await text.click()
  await staff.keyboard.type('Avant')
  await staff.keyboard.press('Control+a')
  for (const kind of ['paste', 'drop'] as const) {
    await give(text, kind, { file: 'ecran.png' })
    await expect(editor.getByRole('status')).toHaveText('Ce texte ne prend pas d’images\u00a0: rien n’a été collé.')
    await give(text, kind, { file: 'contrat.pdf' })
    await expect(editor.getByRole('status')).toHaveText('Ce texte ne prend pas de fichiers\u00a0: rien n’a été collé.')
  }
  await give(text, 'paste', { html: '<meta charset="utf-8"><img src="https://example.com/a.png">', text: '' })
  await expect(editor.getByRole('status')).toHaveText('Les images n’ont pas été collées.')
  await expect(text).toHaveText('Avant')

  await give(staff.getByRole('heading', { level: 1 }), 'drop', { file: 'ecran.png' })
  await expect(staff.getByText('Un fichier ne peut pas être déposé ici.')).toBeVisible()

  // Near the limit, the length; where a paste was cut, that it was.
  const title = staff.getByLabel('Titre', { exact: true })
  await title.fill('a'.repeat(179))
  await expect(staff.getByText('caractères sur')).toHaveCount(0)
  await title.press('b')
  await expect(staff.locator('.field', { has: title })).toContainText('180 caractères sur 200 au maximum.')
  await title.evaluate((field, pasted) => {
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    document.execCommand('insertText', false, pasted)
  }, 'c'.repeat(90))
  await expect(title).toHaveValue(/^a+b?c+b?$/)
  await expect(staff.locator('.field', { has: title })).toContainText(
    'Le texte collé a été coupé\u00a0: 200 caractères au maximum.',
  )
  await expectAccessible(staff)

  // Ctrl+A in the same moment as a click, which a busy browser reports to the editor only after the key.
  const marked = () => staff.evaluate(() => getSelection()?.toString())
  await text.focus()
  await expect.poll(marked).toBe('Avant')
  await text.evaluate((field) => {
    getSelection()?.collapse(field.firstElementChild?.firstChild ?? null, 2)
    const key = { key: 'a', keyCode: 65, ctrlKey: true, bubbles: true, cancelable: true }
    field.dispatchEvent(new KeyboardEvent('keydown', key))
  })
  await expect.poll(marked).toBe('Avant')
  await give(text, 'paste', { html: `<p>${'e'.repeat(50_000)}</p>` })
  await expect(editor.getByRole('status')).toHaveText(/^50.007 caractères sur 50.000, mise en forme comprise\.$/)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff.getByText('Ce texte compte 50\u00a0007 caractères, 50\u00a0000 au maximum.')).toBeInViewport()
  await expect(text).toBeFocused()
  await expect(staff.getByText('Le fichier')).toHaveCount(0)
  await staff.keyboard.press('Control+a')
  await give(text, 'paste', { html: `<p>${'é'.repeat(49_000)}</p>` })
  const english = staff.getByRole('textbox', { name: 'Description (Anglais)' })
  await give(english, 'paste', { html: `<p>${'“'.repeat(49_000)}</p>` })
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/emplois$/)

  // An article takes pictures: the pasted one is in the dialog, which asks what it shows.
  await staff.goto('/admin/articles/new')
  const article = staff.getByRole('textbox', { name: 'Texte', exact: true })
  await article.click()
  await give(article, 'paste', { file: 'ecran.png' })
  const dialog = staff.getByRole('dialog', { name: 'Ajouter une image' })
  await expect(dialog.getByLabel('Texte de remplacement')).toBeVisible()
  await expect(dialog.locator('img')).toHaveAttribute('src', /^blob:/)
})

test('a photo is placed in its square by pointer and keys, turned, reduced, pasted, and explained where it is not taken', async ({
  staff,
}) => {
  await staff.goto('/admin/equipe_nouveau')
  const input = staff.getByLabel('Photo', { exact: true })
  const dialog = staff.getByRole('dialog', { name: 'Cadrer la photo' })
  // Held upright: red above, blue below. With its place, and 11 MB.
  const picture = (side: number, background: string) => sharp({ create: { width: side, height: 600, channels: 3, background } })
  const blue = await picture(450, '#0000ff').png().toBuffer()
  const upright = await picture(900, '#ff0000')
    .composite([{ input: blue, left: 450, top: 0 }])
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '46/1 48/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const large = Buffer.concat([upright, Buffer.alloc(11_000_000)])
  await input.setInputFiles({ name: 'portrait.jpg', mimeType: 'image/jpeg', buffer: large })
  await expect(dialog.getByLabel('Agrandissement')).toBeFocused()
  await staff.keyboard.press('End')
  await expect(dialog.getByText(/n’a que 150 × 150 pixels/)).toBeVisible()
  await expectAccessible(staff)
  await staff.keyboard.press('Home')
  await expect(dialog.getByText(/n’a que/)).toHaveCount(0)
  const preview = dialog.getByRole('img', { name: 'Partie de la photo qui sera montrée' })
  await preview.hover()
  await staff.mouse.down()
  await staff.mouse.move(0, 700, { steps: 3 })
  await staff.mouse.up()
  await expect(dialog.getByLabel('Position verticale')).toHaveValue('0')
  await dialog.getByLabel('Agrandissement').focus()
  await staff.keyboard.press('Tab')
  await expect(dialog.getByLabel('Position verticale')).toBeFocused()
  await staff.keyboard.press('End')
  await dialog.getByRole('button', { name: 'Utiliser cette photo' }).click()
  const shown = staff.getByRole('img', { name: 'Aperçu de la photo' })
  await expect(shown).toHaveAttribute('src', /^data:image\/jpeg;base64,/)
  const chosen = Buffer.from((await shown.getAttribute('src'))?.split(',')[1] ?? '', 'base64')
  const { width, height, exif } = await sharp(chosen).metadata()
  expect({ width, height, exif }).toEqual({ width: 600, height: 600, exif: undefined })
  const { channels } = await sharp(chosen).extract({ left: 0, top: 200, width: 600, height: 400 }).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 255))).toEqual([0, 0, 1])

  await staff.getByRole('button', { name: 'Cadrer la photo' }).click()
  await staff.keyboard.press('Escape')
  await input.setInputFiles({ name: 'IMG_0412.HEIC', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') })
  await expect(staff.getByText('Votre navigateur ne lit pas les photos HEIC')).toBeVisible()

  const small = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#18794e' } })
    .webp()
    .toBuffer()
  await input.setInputFiles({ name: 'petite.webp', mimeType: 'image/webp', buffer: small })
  await expect(dialog.getByText(/n’a que 50 × 50 pixels/)).toBeVisible()
  await staff.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await staff.evaluate(
    (base64) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], 'image.png', { type: 'image/png' }))
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    },
    (await sharp(small).png().toBuffer()).toString('base64'),
  )
  await dialog.getByRole('button', { name: 'Utiliser cette photo' }).click()
  await expect(staff.getByText('Nouvelle photo\u00a0: image.png')).toBeVisible()
})

test('a shorter day is entered in a new row that is seen and focused, one at a time, and reaches the visitors', async ({
  staff,
  request,
}) => {
  await staff.goto('/admin/chat/settings')
  const holidays = staff.getByRole('region', { name: 'Jours fériés' })
  const dates = holidays.locator('input[type=date]')
  await expect(dates.first()).toBeVisible()
  const before = await dates.count()
  for (let press = 0; press < 3; press += 1) {
    await holidays.getByRole('button', { name: 'Ajouter un jour férié' }).click()
    await expect(dates).toHaveCount(before + 1)
    await expect(dates.last()).toBeFocused()
    await expect(dates.last()).toBeInViewport()
  }
  const name = `jour férié ${before + 1}`
  await dates.last().fill('2029-12-24')
  await holidays.getByLabel(`Nom, ${name}`).fill('Veille de Noël')
  await holidays.getByRole('checkbox', { name: 'Ouvert, Veille de Noël' }).check()
  await holidays.getByLabel('Fermeture, Veille de Noël').fill('12:00')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  const noon = { date: '2029-12-24', spans: [{ opens: '08:00', closes: '12:00' }] }
  const read = async () => ((await (await request.get('/public_api/chat/available-users')).json()) as { hours: object }).hours
  await expect.poll(read).toMatchObject({ holidays: expect.arrayContaining([noon]) })
  const home = await (await request.get('/')).text()
  expect(home).toMatch(/"validFrom":"2029-12-24","validThrough":"2029-12-24","opens":"08:00","closes":"12:00"/)
})
