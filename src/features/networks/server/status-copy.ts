import { globSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { company } from '#company/company.ts'
import type { HealthReport } from '#src/features/content/server/feature.ts'
import { readNotes } from '#src/features/notes/server/service.ts'
import { readMaintenance } from '#src/features/updates/server/service.ts'
import { describeInstant } from '#src/features/updates/web/update-time.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages, pickText } from '#src/lib/language/language.ts'
import { defineTexts, translator } from '#src/lib/language/texts.ts'
import { escapeXml as escape } from '#src/lib/text/escape.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import { findOverview, findStatusPage } from './overview.ts'
import { originOf } from './subscriptions.ts'

type CopyFile = { name: string; type: string; body: string | Buffer }
type Target = { put: (file: CopyFile) => Promise<void> }

const copyTexts = defineTexts({
  fr: {
    title: 'État du réseau de {company}',
    copy: 'Copie de la page d’état du réseau, écrite le {time}. Elle reste lisible quand le site ne répond pas.',
    site: 'Page habituelle',
    other: 'English',
    maintenance: 'Entretien planifié',
    notes: 'Avis de service',
    phone: 'Soutien technique : {phone}',
  },
  en: {
    title: '{company} network status',
    copy: 'Copy of the network status page, written on {time}. It stays readable when the website does not respond.',
    site: 'Usual page',
    other: 'Français',
    maintenance: 'Scheduled maintenance',
    notes: 'Service notices',
    phone: 'Technical support: {phone}',
  },
})

const { timeZone } = company.hours
const fileNames = { fr: 'index.html', en: 'en.html' } as const
const areas = new Set(['networks', 'notes', 'updates', 'company'])
const settleMs = 300
/** Written again without a change, so that its time tells that the product runs, and days go on. */
const repeatMs = 5 * 60_000
const assets = 'build/site/client/assets'

type Outcome = { at: Date; failure: string | null }

/** Of the last write, by the configuration of its product. */
const outcomes = new WeakMap<object, Outcome>()

/** Writes a static copy of the status page at each change, where `STATUS_COPY` names a place for it. */
export function startStatusCopy(app: App) {
  const { statusCopy } = app.config
  if (!statusCopy) return
  const target = statusCopy instanceof URL ? openBucket(statusCopy) : openFolder(statusCopy)
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let hasStyles = false
  const write = async () => {
    try {
      // The style sheet and the fonts change with a release only.
      for (const file of hasStyles ? [] : await readStyles()) await target.put(file)
      hasStyles = true
      for (const file of await renderCopy(app)) await target.put(file)
      outcomes.set(app.config, { at: new Date(), failure: null })
    } catch (error) {
      outcomes.set(app.config, { at: new Date(), failure: error instanceof Error ? error.message : String(error) })
      logger.error({ err: error }, 'the copy of the status page was not written; it is tried again')
    }
  }
  const plan = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(write)
    }, settleMs)
  }
  const stopListening = app.events.onChanged((area) => {
    if (areas.has(area)) plan()
  })
  const repeat = setInterval(plan, repeatMs)
  app.addHook('onListen', async () => plan())
  app.addHook('onClose', async () => {
    clearInterval(repeat)
    clearTimeout(timer)
    stopListening()
    await writing
  })
}

/** On the health page: when the copy was written, or why it was not. */
export function findCopyHealth({ config }: Pick<App, 'config'>): HealthReport | null {
  if (!config.statusCopy) return null
  const outcome = outcomes.get(config)
  const line = (language: Language) => {
    if (!outcome) return language === 'fr' ? 'Pas encore écrite' : 'Not written yet'
    const time = formatDateTime(outcome.at.toISOString(), language, { timeZone })
    if (outcome.failure !== null) return `${language === 'fr' ? 'Échec' : 'Failed'} (${time}) : ${outcome.failure}`
    return language === 'fr' ? `Écrite le ${time}` : `Written on ${time}`
  }
  return {
    label: { fr: 'Copie de l’état du réseau', en: 'Copy of the network status' },
    status: outcome?.failure ? 'ERROR' : 'OK',
    lines: [{ fr: line('fr'), en: line('en') }],
    advice: {
      text: {
        fr: 'Vérifiez que le dossier ou l’adresse de STATUS_COPY existe et que le serveur peut y écrire.',
        en: 'Check that the folder or the address of STATUS_COPY exists and that the server may write to it.',
      },
      link: { fr: 'Voir l’état du réseau', en: 'See the network status' },
      path: '/admin/reseau',
    },
  }
}

async function renderCopy(app: App): Promise<CopyFile[]> {
  const [overview, windows, notes] = await Promise.all([findOverview(app), readMaintenance(app), readNotes(app)])
  const at = new Date().toISOString()
  const rendered = { fr: await findStatusPage(app, 'fr'), en: await findStatusPage(app, 'en') }
  const pages = languages.map((language): CopyFile => {
    const t = translator(copyTexts, language)
    const { sentences, others, incidents, networks, history } = rendered[language]
    const site = `${originOf(app)}/reseau${language === 'fr' ? '' : '?lang=en'}`
    // Other pages are on the site alone.
    const parts = `${incidents}${networks}${history}`.replaceAll(/ href="\/(?!\/)/g, ` href="${originOf(app)}/`)
    const list = (title: string, rows: string[]) =>
      rows.length > 0
        ? `<section class="mt-10"><h2 class="text-2xl">${escape(title)}</h2><ul>${rows.join('')}</ul></section>`
        : ''
    const planned = windows.map((one) => {
      const [start, end] = [describeInstant(one.starts_at, language), describeInstant(one.ends_at, language)]
      const text = pickText(language, one.message, one.message_en)
      return `<li class="py-3"><strong>${escape(`${start.day}, ${start.time} – ${end.time}`)}</strong> ${escape(text)}</li>`
    })
    const noted = notes
      .slice(0, 10)
      .map(
        (one) =>
          `<li class="py-3"><strong>${escape(one.note_date)}</strong> ${escape(pickText(language, one.note, one.note_en))}</li>`,
      )
    const head = `<p class="text-sm text-ink-2">${escape(t('copy', { time: formatDateTime(at, language, { timeZone }) }))} <a class="underline" href="${escape(site)}">${escape(t('site'))}</a> · <a class="underline" href="${fileNames[language === 'fr' ? 'en' : 'fr']}" lang="${language === 'fr' ? 'en' : 'fr'}">${escape(t('other'))}</a></p>`
    const body = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escape(`${t('title', { company: company.name })} | ${sentences.join(' · ')}`)}</title><link rel="stylesheet" href="style.css"><style>.net-views{display:none}</style></head>
<body><main class="wrap status-head py-8">${head}<h1 class="my-6 grid gap-1">${sentences.map((one) => `<span>${escape(one)}</span>`).join('')}</h1><p class="mb-8 text-ink-2">${escape(others)}</p>
<div class="net-view grid gap-6" data-view="ribbon">${parts}</div>${list(t('maintenance'), planned)}${list(t('notes'), noted)}
<p class="mt-12">${escape(t('phone', { phone: company.phones.tollFree.display }))}</p></main></body></html>
`
    return { name: fileNames[language], type: 'text/html; charset=utf-8', body }
  })
  const json = { written_at: at, ...overview, maintenance: windows }
  return [...pages, { name: 'status.json', type: 'application/json', body: `${JSON.stringify(json)}\n` }]
}

/** The style sheet of the built site beside its fonts; nothing where no site is built. */
async function readStyles(): Promise<CopyFile[]> {
  const [sheet] = globSync(`${assets}/shell-*.css`)
  if (!sheet) return []
  const css = (await readFile(sheet, 'utf8')).replaceAll('url(/assets/', 'url(')
  const fonts = await Promise.all(
    globSync(`${assets}/*.woff2`).map(async (file) => ({ name: basename(file), type: 'font/woff2', body: await readFile(file) })),
  )
  return [...fonts, { name: 'style.css', type: 'text/css; charset=utf-8', body: css }]
}

/** Each file is replaced whole: a reader never gets a half-written page. */
function openFolder(folder: string): Target {
  return {
    async put({ name, body }) {
      const path = join(folder, name)
      const part = `${path}.${process.pid}.part`
      await mkdir(dirname(path), { recursive: true })
      try {
        // Another server's user reads it.
        const file = await open(part, 'w', 0o644)
        await file
          .chmod(0o644)
          .then(() => file.writeFile(body))
          .then(() => file.sync())
          .finally(() => file.close())
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
  }
}

/** `https://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION`: any store that speaks S3, by path. */
function openBucket({ username, password, origin, pathname, searchParams }: URL): Target {
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: 's3',
    region: searchParams.get('region') ?? 'us-east-1',
    retries: 3,
  })
  return {
    async put({ name, type, body }) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=30' }
      const response = await client.fetch(`${origin}${pathname.replace(/\/$/, '')}/${name}`, {
        method: 'PUT',
        headers,
        body: new Uint8Array(bytes),
        signal: AbortSignal.timeout(30_000),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the store answered ${response.status} to ${name}`)
    },
  }
}
