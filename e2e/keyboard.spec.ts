import type { CDPSession, Page } from '@playwright/test'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { ChatSettings } from '../src/features/chat/contract.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { administrator } from './product.ts'

// What each stop of the keyboard says, kept in e2e/transcripts: a change of it is read there, then taken over by
// `playwright test keyboard --update-snapshots`.

// Other journeys of a worker would leave their requests and conversations in it.
test.use({ isAlone: true })

// Pages say otherwise while the chat is open, which depends on the day and the hour.
test.beforeAll(async ({ product }) => {
  const client = await createTestClient(product.address()).arrive()
  expect((await client.post('/api/auth/login', administrator)).status).toBe(200)
  const { body } = await client.get<ChatSettings>('/api/chat/settings')
  expect((await client.put('/api/chat/settings', { ...body, week: [] })).status).toBe(200)
})

const languages = ['fr', 'en'] as const
const stopsMax = 120

type AxValue = { value?: unknown }
type AxNode = {
  role?: AxValue
  name?: AxValue
  description?: AxValue
  value?: AxValue
  properties?: { name: string; value: AxValue }[]
}

/** States that screen readers say. */
const states = new Set(['checked', 'disabled', 'expanded', 'haspopup', 'invalid', 'pressed', 'readonly', 'required', 'selected'])

const monthsAndDays = (['fr-CA', 'en-US'] as const).flatMap((locale) =>
  (['long', 'short'] as const).flatMap((style) => [
    ...Array.from({ length: 12 }, (_, at) => new Intl.DateTimeFormat(locale, { month: style }).format(new Date(2026, at, 2))),
    ...Array.from({ length: 7 }, (_, at) =>
      new Intl.DateTimeFormat(locale, { weekday: style }).format(new Date(2026, 0, at + 1)),
    ),
  ]),
)
const dates = new RegExp(`(?<!\\p{L})(?:${monthsAndDays.join('|').replaceAll('.', '\\.')})(?!\\p{L})`, 'gu')

/** The words of a moment: what changes with the day, the hour or the machine is left out. */
const withoutMoment = (text: string) =>
  text
    .replaceAll(dates, '#')
    .replaceAll(/\d+(?:er\b)?/g, '#')
    .replaceAll(/(slider “[^:”]*):[^”]*/g, '$1: …')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b(depuis|since) [^”|(]*/g, '$1 … ')
    .trim()

/** What a screen reader says of the element with the focus, by the browser's accessibility tree. */
async function focused(session: CDPSession) {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' })
  const { nodes } = (await session.send('Accessibility.getPartialAXTree', {
    ...(result.objectId && { objectId: result.objectId }),
    fetchRelatives: false,
  })) as { nodes: AxNode[] }
  const [node] = nodes
  const said = ({ value }: AxValue = {}) => (value === undefined || value === null || value === '' ? '' : String(value))
  const text = await session.send('Runtime.evaluate', { expression: 'document.activeElement.ariaValueText' })
  const isSlider = said(node?.role) === 'slider'
  const value = said(isSlider ? text.result : node?.value)
  const found = (node?.properties ?? []).filter(({ name, value: { value } }) => states.has(name) && value && value !== 'false')
  return withoutMoment(
    [
      `${said(node?.role).replace(/^DisclosureTriangle.*/, 'summary')} “${said(node?.name)}”`,
      ...found.map(({ name, value: { value } }) => (value === true || value === 'true' ? name : `${name} ${String(value)}`)),
      ...(value ? [`= ${value}`] : []),
      ...(said(node?.description) ? [`(${said(node?.description)})`] : []),
    ].join(' '),
  )
}

/** Goes through a page by the keyboard alone, and writes down what each stop says. */
async function createKeyboard(page: Page, language: (typeof languages)[number]) {
  const session = await page.context().newCDPSession(page)
  const lines: string[] = []
  /** Writes down the element with the focus, once it is the one that is `wanted`. */
  const note = async (key: string, wanted = '') => {
    let text = ''
    await expect
      .poll(async () => {
        text = await focused(session)
        // A focused ribbon gets its day, in place of its description, from a script that loads with the first focus.
        return /^slider(?! .* = .*[^)]$)/.test(text) ? null : text
      })
      .toEqual(expect.stringContaining(wanted))
    lines.push(`${key.padEnd(6)} ${text}`)
  }
  return {
    transcript: () => `${lines.join('\n')}\n`,
    async open(path: string) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
      await hydrated(page)
      lines.push(`page   ${withoutMoment(await page.title())}`)
    },
    /** Presses a key; where that takes the focus elsewhere, `wanted` is what is there. */
    async press(key: string, wanted = '') {
      await page.keyboard.press(key)
      await note(key, wanted)
    },
    /** Past the header, as the first stop of each page offers. */
    async skip() {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await note('skip')
    },
    /** Presses a key after which another page comes, or a text. */
    async leave(key: string) {
      await page.keyboard.press(key)
      lines.push(key)
    },
    /** Waits for a page with this title. */
    async arrives(title: string) {
      await expect(page).toHaveTitle(new RegExp(title))
      await hydrated(page)
      lines.push(`page   ${withoutMoment(await page.title())}`)
      await note('→')
    },
    /** Waits for a button of a form that loads after its page. */
    async shows(button: string) {
      await expect(page.getByRole('button', { name: button })).toBeVisible()
    },
    /** Presses a key until an element says this. */
    async to(wanted: string, key = 'Tab') {
      for (let stop = 0; stop < stopsMax; stop += 1) {
        await page.keyboard.press(key)
        await note(key)
        if (lines.at(-1)?.includes(wanted)) return
      }
      throw new Error(`no stop says ${wanted}:\n${lines.join('\n')}`)
    },
    async type(text: string) {
      await page.keyboard.type(text)
      lines.push(`type   ${withoutMoment(text)}`)
    },
    /** Waits for what the page says by itself. */
    async hears(wanted: string) {
      await expect(page.locator('[role=status], [role=alert], [aria-live]').filter({ hasText: wanted }).first()).toBeAttached()
      lines.push(`hears  ${withoutMoment(wanted)}`)
    },
  }
}

type Keyboard = Awaited<ReturnType<typeof createKeyboard>>
type Say = (fr: string, en: string) => string

const journeys: Record<string, (keyboard: Keyboard, say: Say) => Promise<void>> = {
  async home({ open, to }, say) {
    await open('/')
    await to(say('Automatique', 'Automatic'))
  },
  async menu({ open, press, to, leave, arrives }, say) {
    await open('/about')
    await to(say('Soutien', 'Support'))
    await press('Enter')
    await press('Escape')
    await press('Enter')
    await to(say('Aide et réponses', 'Help and answers'))
    await leave('Enter')
    await arrives(say('Aide et réponses', 'Help and answers'))
  },
  async language({ open, press, to, leave, arrives }, say) {
    await open('/about')
    await to(say('EN, English', 'FR, Français'))
    await leave('Enter')
    await arrives(say('About', 'À propos'))
    await press('Tab')
  },
  async contact({ open, press, to, type, skip, hears }, say) {
    await open('/contact')
    await skip()
    await to(say('Envoyer!', 'Send!'))
    await press('Enter', 'invalid')
    await type('Zoé Tremblay')
    await press('Tab')
    await type('zoe@example.com')
    await press('Tab')
    await type('418 555-0142')
    await press('Tab')
    await type('Bonjour')
    await to(say('Envoyer!', 'Send!'))
    await press('Enter', say('Numéro de demande', 'Request number'))
    await hears(say('Votre message a été envoyé avec succès!', 'Your message was sent successfully!'))
    await press('Tab')
  },
  async 'service-call'({ open, to, press, skip }, say) {
    await open('/appel-de-service')
    await skip()
    await to(say('Envoyer', 'Send'))
    await press('Enter', 'invalid')
    await press('Tab')
  },
  async network({ open, press, to, skip, type }, say) {
    await open('/reseau')
    await skip()
    await to('slider')
    const before = say('sans donnée', 'no data')
    await press('ArrowLeft', before)
    await press('ArrowLeft', before)
    await press('Home', before)
    await to(say('textbox “Courriel', 'textbox “Email'))
    await type('zoe@example')
    await to(say('M’abonner', 'Subscribe'))
    await press('Enter', 'checkbox')
  },
  async posting({ open, press, to, skip, leave, arrives, shows }, say) {
    await open('/emploi')
    await skip()
    await to(say('Technicienne ou technicien réseau', 'Network technician'))
    await leave('Enter')
    await arrives(say('Technicienne ou technicien réseau', 'Network technician'))
    await shows(say('Envoyer ma candidature', 'Send my application'))
    await to(say('Envoyer ma candidature', 'Send my application'))
    await press('Enter', 'invalid')
    await press('Tab')
  },
  async help({ open, press, to, skip, type, leave, arrives }, say) {
    await open('/aide')
    await skip()
    await to('searchbox')
    await type(say('courriel', 'email'))
    await leave('Enter')
    await arrives(say('Recherche', 'Search'))
    await skip()
    for (let stop = 0; stop < 6; stop += 1) await press('Tab')
  },
  async chat({ open, press, to, skip, shows }, say) {
    await open('/about')
    await skip()
    await to('button')
    await press('Enter', say('Le clavardage est fermé', 'The chat is closed'))
    await shows(say('Envoyer le message', 'Send message'))
    for (let stop = 0; stop < 6; stop += 1) await press('Tab')
    await press('Escape', 'button')
  },
  async 'sign-in'({ open, press, type, leave, hears }, say) {
    await open('/admin/login')
    await press('Tab')
    await type('admin')
    await press('Tab')
    await type('nothing like it')
    await leave('Enter')
    await hears(say('Vérifiez votre nom d’utilisateur', 'Check your username'))
    for (let stop = 0; stop < 4; stop += 1) await press('Tab')
  },
}

for (const language of languages)
  for (const [name, travel] of Object.entries(journeys))
    test(`by the keyboard alone, what each stop says: ${name} (${language})`, async ({ page, expectedErrors }) => {
      if (name === 'sign-in') expectedErrors.push('401')
      const keyboard = await createKeyboard(page, language)
      await travel(keyboard, (fr, en) => (language === 'fr' ? fr : en))
      expect(keyboard.transcript()).toMatchSnapshot(`${name}-${language}.txt`)
    })
