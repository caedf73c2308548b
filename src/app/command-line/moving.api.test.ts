import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environmentOf, runGuichet } from '#src/app/testing/run-guichet.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { articles } from '#src/features/articles/server/table.ts'
import { cannedReplies } from '#src/features/chat/server/table.ts'
import { importKinds } from '#src/features/imports/commands.ts'
import type { ImportResult } from '#src/features/imports/contract.ts'
import { imports } from '#src/features/imports/server/table.ts'
import { item, sendImport, site } from '#src/features/imports/testing.ts'
import { pictures } from '#src/features/content/server/pictures-table.ts'

let product: TestApp
// Without its queue, as a command opens the product where none runs: the import runs in the command's request.
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const guichet = (words: string[], options: { environment?: NodeJS.ProcessEnv; signal?: AbortSignal } = {}) =>
  runGuichet(words, { ...options, environment: { ...environmentOf(product), ...options.environment } })
const pathOf = (name: string) => join(product.dataDir, name)
const replies = (count: number, word: string) =>
  ['raccourci,texte', ...Array.from({ length: count }, (_, at) => `${word}-${at},Texte ${at}`)].join('\n')

test('the command takes every kind of import', () => {
  expect(product.app.importers.map(({ kind }) => kind).toSorted()).toEqual(importKinds.toSorted())
})

test('guichet import tries, imports, knows, lists and undoes a file', async () => {
  writeFileSync(pathOf('replies.csv'), `${replies(3, 'cli')}\ncli-vide,`)
  const tried = await guichet(['import', 'replies', pathOf('replies.csv'), '--dry-run', '--lang', 'fr'])
  expect(tried).toMatchObject({ code: 1, errors: '' })
  expect(tried.output).toMatch(
    /^Essai\s: réponses prédéfinies\s: 3, 1 refusée\.\n {2}Entrée 5 cli-vide\s: Texte de la réponse\s: obligatoire\./,
  )
  expect(await product.db.$count(imports)).toBe(0)

  const { code, output } = await guichet(['import', 'replies', pathOf('replies.csv'), '--json'])
  const result = JSON.parse(output) as ImportResult
  expect(code).toBe(1)
  expect(result).toMatchObject({
    kind: 'replies',
    dry_run: false,
    state: 'done',
    created: { chat: 3 },
    known: 0,
    refused_total: 1,
  })
  expect(existsSync(pathOf('replies.csv'))).toBe(true)
  writeFileSync(pathOf('map.json'), '{"shortcut":"raccourci","reply":"texte"}')
  const again = await guichet(['import', 'replies', pathOf('replies.csv'), '--map', pathOf('map.json')])
  expect(again.output).toContain('3 already imported, 1 refused')
  expect((await guichet(['import', 'list'])).output).toMatch(/^\d+ {2}.* {2}replies {2}replies\.csv {2}completed {2}3$/m)
  const undone = await guichet(['import', 'undo', String(result.id_import)])
  expect(undone).toMatchObject({ code: 0, output: `Import ${result.id_import} undone. 0 entries edited since stay in place.\n` })
  expect(await product.db.$count(cannedReplies)).toBe(0)
  expect(await guichet(['import', 'undo', String(result.id_import), '--lang', 'fr'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('ne peut pas être annulée') as string,
  })
})

test('pictures of WordPress come from a copy of its folder, each once, and what is none of its is counted', async () => {
  const [uploads, outside] = [pathOf('uploads'), pathOf('secret.jpg')]
  mkdirSync(join(uploads, '2025/03'), { recursive: true })
  const draw = (colour: string) =>
    sharp({ create: { width: 900, height: 600, channels: 3, background: colour } })
      .jpeg()
      .toBuffer()
  for (const name of ['2025/03/routeur-scaled.jpg', '2025/03/vitré.jpg'])
    writeFileSync(join(uploads, name), await draw('#0055aa'))
  writeFileSync(outside, await draw('#aa0000'))
  symlinkSync(outside, join(uploads, 'lien.jpg'))
  writeFileSync(join(uploads, 'page.jpg'), '<script>alert(1)</script>')
  writeFileSync(join(uploads, 'bombe.png'), Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(99)]))
  const image = (path: string, alt = '') => `<img class="a" alt="${alt}" src="https://ancien.example/wp-content/uploads/${path}">`
  const html = [
    image('2025/03/routeur-scaled-300x200.jpg', 'Le &lt;routeur&gt; d&#8217;ici "noir"'.replaceAll('"', '&quot;')),
    ...['../secret.jpg', '%2e%2e/secret.jpg', 'lien.jpg', 'page.jpg', 'bombe.png', 'absente.jpg', '%00.jpg', '2025'].map((one) =>
      image(one),
    ),
    '<img src="data:image/png;base64,AAAA"><img src="https://ancien.example/wp-content/plugins/a.jpg"><img',
  ].join('<p>Texte</p>')
  const attachment = item(9, 'vitré', '')
    .replace('>post<', '>attachment<')
    .replace(
      '</item>',
      `<wp:attachment_url>https://ancien.example/wp-content/uploads/2025/03/vitr%C3%A9.jpg</wp:attachment_url></item>`,
    )
  const thumbnail = '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>'
  writeFileSync(
    pathOf('site.xml'),
    site(item(1, 'Routeur', html, thumbnail) + item(2, 'Classique', 'Un\n\nDeux', thumbnail) + attachment),
  )
  const words = ['import', 'wordpress', pathOf('site.xml'), '--json']
  const read = ({ output }: { output: string }) => JSON.parse(output) as ImportResult

  expect(read(await guichet([...words, '--dry-run']))).toMatchObject({ left_out: { pictures: 11, attachments: 1 } })
  const tried = read(await guichet([...words, '--uploads', uploads, '--dry-run']))
  expect(tried).toMatchObject({ created: { articles: 2 }, left_out: { pictures: 9, attachments: 1 } })
  expect(await product.db.$count(pictures)).toBe(0)

  expect(read(await guichet([...words, '--uploads', uploads]))).toMatchObject({ state: 'done', created: { articles: 2 } })
  const [article] = await product.db.select().from(articles).where(eq(articles.title, 'Routeur'))
  const shown = /<img src="(\/media\/[\da-f]{32}-900\.jpeg)" alt="([^"]*)" width="900" height="600" \/>/g
  expect([...(article?.body.matchAll(shown) ?? [])].map(([, , alt]) => alt)).toEqual([
    '',
    'Le &lt;routeur&gt; d’ici &quot;noir&quot;',
  ])
  expect(article?.body.match(/<img/g)).toHaveLength(2)
  // The text of an older editor keeps its paragraphs below the picture.
  const [classic] = await product.db.select().from(articles).where(eq(articles.title, 'Classique'))
  expect(classic?.body).toMatch(/^<p><img [^>]+><\/p><p>Un<\/p><p>Deux<\/p>$/)
  const [, address = ''] = [...(article?.body.matchAll(shown) ?? [])][0] ?? []
  expect((await fetch(product.origin + address)).headers.get('content-type')).toBe('image/jpeg')
  // The same picture twice is stored once; nothing of the other files is.
  expect(await product.db.$count(pictures)).toBe(1)
  expect(read(await guichet([...words, '--uploads', uploads]))).toMatchObject({ created: {}, known: 4 })

  expect(await guichet([...words, '--uploads', pathOf('nowhere')])).toMatchObject({ code: 2 })
  const staff = await product.signIn()
  const sent = await sendImport(
    product,
    staff,
    { kind: 'wordpress', map: JSON.stringify({ '(uploads)': '/etc' }) },
    site(''),
    'site.xml',
  )
  expect(sent.status).toBe(400)
})

test('Ctrl+C stops an import at a whole entry, and the same command goes on', async () => {
  writeFileSync(pathOf('many.csv'), replies(4_000, 'many'))
  const stopping = new AbortController()
  const watch = setInterval(() => {
    void product.db.$count(cannedReplies).then((count) => count > 0 && stopping.abort())
  }, 5)
  const words = ['import', 'replies', pathOf('many.csv')]
  const stopped = await guichet(words, { signal: stopping.signal })
  clearInterval(watch)
  expect(stopped).toMatchObject({ code: 1, errors: expect.stringContaining('Run the same command to continue') as string })
  expect(await product.db.$count(cannedReplies)).toBeLessThan(4_000)
  expect(await guichet(words)).toMatchObject({ code: 0, output: expect.stringContaining('canned responses: 4,000') as string })
  expect(await product.db.$count(cannedReplies)).toBe(4_000)
})

test.each([
  [['import', 'replyes', 'x.csv'], 2, /Possible values: .*replies/],
  [['import', 'replies', '/no/such/file.csv'], 2, /There is no file/],
  [['import', 'undo', 'twelve'], 2, /not the number of an import/],
  [['import', 'undo', '999999'], 1, /no such import/],
  [['export', '/no/such/folder/all.zip'], 1, /cannot write/],
  [['redirects', 'add', 'contact', '/emploi'], 2, /not a path of this site/],
  [['redirects', 'add', '/emploi', '--gone'], 1, /already has a page/],
])('%s is refused with exit code %i and a sentence', async (words, code, message) => {
  const ended = await guichet(words)
  expect(ended.code).toBe(code)
  expect(ended.errors).toMatch(message)
  expect(ended.errors).not.toMatch(/^\s+at /m)
})

test('guichet redirects adds, tests and lists', async () => {
  const added = await guichet(['redirects', 'add', '/vieux-emplois.html', '/emploi', '--lang', 'fr'])
  expect(added).toMatchObject({ code: 0, output: '/vieux-emplois.html mène à /emploi.\n' })
  expect((await guichet(['redirects', 'add', '/vieux-emplois.html', '/emploi'])).code).toBe(1)
  const tried = await guichet(['redirects', 'test', '/vieux-emplois.html', '--json'])
  expect(JSON.parse(tried.output)).toMatchObject({ result: 'redirect', status: 301, location: '/emploi' })
  expect((await guichet(['redirects', 'test', '/promo-2019'])).code).toBe(1)
  const forgotten = await guichet(['redirects', 'add', '/promo-2019', '--lang', 'fr'])
  expect(forgotten).toMatchObject({ code: 2, errors: expect.stringContaining('ou --gone si la page n’existe plus') as string })
  expect((await guichet(['redirects', 'add', '/promo-2019', '/emploi', '--gone'])).code).toBe(2)
  await guichet(['redirects', 'add', '/promo-2019', '--gone'])
  const listed = await guichet(['redirects', 'list', 'promo'])
  expect(listed.output).toBe('/promo-2019 -> -  410  0 visits\n')
})

test('guichet export writes the archive where it is asked, and asks before it replaces one', async () => {
  const file = pathOf('all.zip')
  const made = await guichet(['export', file, '--json'])
  expect(made).toMatchObject({ code: 0 })
  expect(JSON.parse(made.output)).toMatchObject({ file, missing: [], kinds: { canned_replies: 4_000 } })
  expect(await guichet(['export', file])).toMatchObject({ code: 2 })
  expect(await guichet(['export', file, '--yes', '--lang', 'fr'])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/all\.zip\s: .*lignes de \d+ types/) as string,
  })
})
