import { rename } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { articles } from '../articles/server/table.ts'
import { cannedReplies } from '../chat/server/table.ts'
import { notes } from '../notes/server/table.ts'
import type { ImportDetail, ImportResult } from './contract.ts'
import { importEntries, imports } from './server/table.ts'
import type { TestClient } from './testing.ts'
import { finishImport, item, polylang, runImport as run, sendImport, site, wpml } from './testing.ts'

let product: TestApp
let staff: TestClient

beforeAll(async () => {
  product = await startTestApp({ queue: true })
  staff = await product.signIn()
})
afterAll(() => product.stop())

const unique = () => Math.random().toString(36).slice(2, 10)

const send = (client: TestClient, fields: Record<string, string>, content: string | Uint8Array, name?: string) =>
  sendImport(product, client, fields, content, name)

const table = (rows: string[][], separator = ',') => rows.map((row) => row.join(separator)).join('\r\n')

test('an import is tried, run, known the second time, updated unless edited here, and undone', async () => {
  const word = unique()
  const source = `https://${word}.example`
  const rows = (text: string) =>
    table([
      ['id', 'Raccourci', 'Réponse'],
      ['1', `${word}-un`, text],
      ['2', `${word}-deux`, 'Deux'],
      ['3', `${word}-trois`, 'Trois'],
      ['4', `${word}-quatre`, ''],
    ])
  const tried = await send(staff, { kind: 'replies', source }, rows('Un'))
  expect(tried.status).toBe(201)
  expect(tried.body).toMatchObject({ state: 'waiting', dry_run: true, created: { chat: 3 }, total: 4, refused_total: 1 })
  expect(tried.body.refused).toEqual([
    { at: '5', name: `${word}-quatre`, reason: 'Response text: required.', reason_fr: 'Texte de la réponse : obligatoire.' },
  ])
  expect(tried.body.map).toEqual({ source_id: 'id', shortcut: 'Raccourci', reply: 'Réponse', reply_en: '' })
  const mine = async () => (await product.db.select().from(cannedReplies)).filter(({ shortcut }) => shortcut.startsWith(word))
  expect(await mine()).toEqual([])

  const done = await run(staff, tried.body.id_import)
  expect(done).toMatchObject({ state: 'done', created: { chat: 3 }, refused_total: 1, done: 4, total: 4 })
  expect(await mine()).toHaveLength(3)
  const events = await staff.get<{ action: string; after: { entries: Record<string, string> } | null }[]>(
    '/api/audit/entries?area=imports',
  )
  expect(events.body.find(({ action }) => action === 'import')?.after?.entries.chat).toMatch(/^\d+-\d+$/)

  const again = await send(staff, { kind: 'replies', source }, rows('Un'))
  expect(again.body).toMatchObject({ created: {}, known: 3, refused_total: 1 })
  const [, second] = (await mine()).toSorted((one, other) => one.id - other.id)
  await staff.put(`/api/chat/canned_replies/${second?.id}`, { shortcut: second?.shortcut, reply: 'Modifiée ici', reply_en: '' })
  const changed = await send(staff, { kind: 'replies', source }, rows('Un plus récent').replace('Deux', 'Deux bis'))
  expect(changed.body).toMatchObject({ updated: { chat: 1 }, known: 1, refused_total: 2 })
  expect(changed.body.refused.map(({ reason }) => reason)).toContain('Edited here since it was imported: left as it is.')
  expect(await run(staff, changed.body.id_import)).toMatchObject({ state: 'done', updated: { chat: 1 } })
  expect((await mine()).map(({ reply }) => reply).toSorted()).toEqual(['Modifiée ici', 'Trois', 'Un plus récent'])

  const undone = await staff.post<ImportResult>(`/api/imports/imports/${done.id_import}/undo`)
  expect(undone.body).toMatchObject({ state: 'undone', left: 2, left_entries: [{}, { name: `${word}-deux` }] })
  expect((await mine()).map(({ reply }) => reply).toSorted()).toEqual(['Modifiée ici', 'Un plus récent'])
  expect((await staff.post(`/api/imports/imports/${done.id_import}/undo`)).status).toBe(409)
})

test('one import at a time, stopped after whole entries and continued with each entry once', async () => {
  const word = unique()
  const rows = [['raccourci', 'texte'], ...Array.from({ length: 1_000 }, (_, index) => [`${word}-${index}`, `Texte ${index}`])]
  const first = await send(staff, { kind: 'replies' }, table(rows, ';'))
  const other = await send(
    staff,
    { kind: 'replies' },
    table([
      ['raccourci', 'texte'],
      [`${word}-x`, 'Autre'],
    ]),
  )
  expect((await staff.post(`/api/imports/imports/${first.body.id_import}/run`)).status).toBe(202)
  expect((await staff.post(`/api/imports/imports/${other.body.id_import}/run`)).status).toBe(409)
  expect((await send(staff, { kind: 'replies' }, 'raccourci,texte\nz,z')).status).toBe(409)
  const partly = async () => (await staff.get<ImportResult>(`/api/imports/imports/${first.body.id_import}`)).body
  while ((await partly()).done === 0) await pause(5)
  expect((await staff.post<ImportResult>(`/api/imports/imports/${first.body.id_import}/stop`)).body.state).toBe('stopped')
  await run(staff, first.body.id_import)
  expect(await finishImport(staff, first.body.id_import)).toMatchObject({ state: 'done', created: { chat: 1_000 }, done: 1_000 })
  const stored = (await product.db.select().from(cannedReplies)).filter(({ shortcut }) => shortcut.startsWith(`${word}-`))
  expect(stored).toHaveLength(1_000)
  expect(await product.db.$count(importEntries)).toBeGreaterThanOrEqual(1_000)
  await staff.delete(`/api/imports/imports/${other.body.id_import}`)
})

describe('tables as people have them', () => {
  const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  test.each([
    ['Windows-1252 with semicolons', latin('Raccourci;Réponse\r\n{w}-a;Ça va très bien\r\n'.replace('{w}', 'w1252')), 1],
    ['UTF-8 with a byte order mark and tabs', '\uFEFFshortcut\ttext\nbom-a\tÇa va\n', 1],
    ['UTF-16 as spreadsheets save it', Buffer.from('\uFEFFshortcut\ttext\nutf16-a\tÇa va\n', 'utf16le'), 1],
    ['JSON Lines', '{"shortcut":"jsonl-a","content":"Ça va"}\n{"shortcut":"jsonl-b","content":"=cmd"}\n', 2],
    ['quotes, line breaks and a formula', '"Raccourci","Texte"\nq-a,"Deux\nlignes, ""citées"""\nq-b,=cmd\n', 2],
  ])('%s', async (_name, content, count) => {
    const { status, body } = await send(staff, { kind: 'replies' }, content)
    expect(status).toBe(201)
    expect(body).toMatchObject({ created: { chat: count }, refused_total: 0 })
    expect(JSON.stringify(body.preview)).not.toContain('\uFFFD')
  })

  test.each([
    ['a quotation mark that is never closed', 'shortcut,text\na,"open\nb,c\n', /jamais fermé/],
    ['a line that is no JSON', '{"shortcut":"a","text":"b"}\n{oops\n', /ligne 2/],
    ['nothing', '', /vide/],
  ])('%s is refused in words and leaves nothing', async (_name, content, message) => {
    const { status, body } = await send(staff, { kind: 'replies' }, content)
    expect(status).toBe(422)
    expect(body.reason?.fr).toMatch(message)
  })

  test('NUL and half of a character are left out, and never stop an import', async () => {
    const word = unique()
    const rows = [`${word}-a`, `${word}-b`].map((name) => `{"shortcut":"${name}","con\\u0000tent":"Bon\\u0000jour \\ud83d"}`)
    const sent = await send(staff, { kind: 'replies' }, `${rows.join('\n')}\n{"shortcut":"${'x'.repeat(199)}😀"}\n`)
    expect(sent).toMatchObject({ status: 201, body: { created: { chat: 2 }, refused_total: 1 } })
    expect(await run(staff, sent.body.id_import)).toMatchObject({ state: 'done', created: { chat: 2 } })
    const csv = await send(staff, { kind: 'replies' }, `short\0cut,text\n${word}-c,a\0b${'é'.repeat(296)}😀😀\n`)
    expect(csv).toMatchObject({ status: 201, body: { created: { chat: 1 } } })
  })

  test('JSON Lines have the columns of all their rows', async () => {
    const word = unique()
    const { body } = await send(
      staff,
      { kind: 'replies' },
      `{"shortcut":"${word}","note":"x"}\n{"shortcut":"${word}2","text":"Oui"}\n`,
    )
    expect(body).toMatchObject({ map: { shortcut: 'shortcut', reply: 'text' }, created: { chat: 1 }, refused_total: 1 })
  })

  test('a column that an earlier file did not have is guessed in the next', async () => {
    const word = unique()
    const first = await send(staff, { kind: 'replies' }, `shortcut,text\n${word}-a,Bonjour\n`)
    await run(staff, first.body.id_import)
    const next = await send(staff, { kind: 'replies' }, `shortcut,text,english\n${word}-b,Bonjour,Hello\n`)
    expect(next.body.map).toMatchObject({ reply: 'text', reply_en: 'english' })
  })

  test('columns that nobody can guess are chosen, and the choice is kept for the next time', async () => {
    const word = unique()
    const content = (name: string) => `colonne un,colonne deux\n${word}-${name},Bonjour\n`
    const blind = await send(staff, { kind: 'replies' }, content('a'))
    expect(blind.body).toMatchObject({ created: {}, refused_total: 1 })
    const map = { shortcut: 'colonne un', reply: 'colonne deux' }
    const mapped = await staff.put<ImportDetail>(`/api/imports/imports/${blind.body.id_import}`, { map })
    expect(mapped.body).toMatchObject({ created: { chat: 1 }, refused_total: 0 })
    await run(staff, blind.body.id_import)
    expect((await send(staff, { kind: 'replies' }, content('b'))).body).toMatchObject({ created: { chat: 1 }, refused_total: 0 })
  })
})

test('a kind needs administrator of each area that it writes in', async () => {
  const rows = 'shortcut,text\nright-a,b\n'
  const writer = await product.signIn({ chat: 'read_write', company: 'administrator' })
  expect((await send(writer, { kind: 'replies' }, rows)).status).toBe(403)
  const own = await product.signIn({ chat: 'administrator' })
  const sent = await send(own, { kind: 'replies' }, rows)
  expect(sent.status).toBe(201)
  expect((await own.get('/api/imports/imports')).status).toBe(403)
  const reader = await product.signIn({ company: 'read_only' })
  expect((await reader.get('/api/imports/imports')).status).toBe(200)
  for (const what of ['run', 'undo', 'stop'])
    expect((await reader.post(`/api/imports/imports/${sent.body.id_import}/${what}`)).status).toBe(403)
  const nobody = await product.signIn({})
  expect((await nobody.get(`/api/imports/imports/${sent.body.id_import}`)).status).toBe(403)
  expect((await send(staff, { kind: 'unheard' }, rows)).status).toBe(400)
})

test('what an import holds is only for who may import it', async () => {
  const word = unique()
  const rows = `shortcut,text\n${word}-a,Bonjour\n${word}-refused,\n`
  const { body } = await send(staff, { kind: 'replies' }, rows)
  const address = `/api/imports/imports/${body.id_import}`
  const reader = await product.signIn({ company: 'read_only' })
  const seen = await reader.get<ImportDetail>(address)
  expect(seen).toMatchObject({ status: 200, body: { preview: [], refused: [], refused_total: 1 } })
  expect(JSON.stringify((await reader.get('/api/imports/imports')).body)).not.toContain(word)
  expect((await reader.get(`${address}/refused.csv`)).status).toBe(403)
  expect((await send(reader, { kind: 'replies' }, rows)).status).toBe(403)
  const own = await product.signIn({ chat: 'administrator' })
  expect((await own.get<ImportDetail>(address)).body.refused).toMatchObject([{ name: `${word}-refused` }])
  const response = await fetch(`${product.origin}${address}/refused.csv`, { headers: { cookie: own.cookieHeader() } })
  expect(await response.text()).toContain(`${word}-refused`)
})

test('an import is that of who runs it, and one that fails is in the audit log', async () => {
  const word = unique()
  const { body } = await send(staff, { kind: 'replies' }, `shortcut,text\n${word}-a,Bonjour\n`)
  const other = await product.signIn({ chat: 'administrator' })
  const [row] = await product.db.select().from(imports).where(eq(imports.id, body.id_import))
  await rename(row?.path ?? '', `${row?.path}.away`)
  const failed = await run(other, body.id_import)
  expect(failed).toMatchObject({ state: 'failed', created: {} })
  expect(failed.by).not.toBe(body.by)
  const events = await staff.get<{ action: string; entry_id: string }[]>('/api/audit/entries?area=imports')
  expect(events.body.filter((one) => Number(one.entry_id) === body.id_import).map(({ action }) => action)).toEqual(['import'])
  await rename(`${row?.path}.away`, row?.path ?? '')
  expect(await run(staff, body.id_import)).toMatchObject({ state: 'done', by: body.by, created: { chat: 1 } })
  // An undo that was cut off: nobody continues the import, and the undo may be asked for again.
  await product.db.update(imports).set({ state: 'undone', left: null }).where(eq(imports.id, body.id_import))
  expect((await staff.post(`/api/imports/imports/${body.id_import}/run`)).status).toBe(409)
  const undone = await staff.post<ImportResult>(`/api/imports/imports/${body.id_import}/undo`)
  expect(undone.body).toMatchObject({ state: 'undone', left: 0 })
})

test('a subscriber whose address changed at the source stays with the confirmed one', async () => {
  const word = unique()
  const source = `https://${word}.example`
  const rows = (name: string, text: string) => `id,email,consentement,consentement le\n1,${name}@example.com,${text},2025-01-02\n`
  const first = await send(staff, { kind: 'subscribers', source }, rows(word, 'Oui'))
  await run(staff, first.body.id_import)
  const second = await send(staff, { kind: 'subscribers', source }, rows(`${word}b`, 'Oui'))
  const done = await run(staff, second.body.id_import)
  expect(done).toMatchObject({ state: 'done', updated: {}, refused_total: 1 })
  expect(done.refused[0]?.reason).toMatch(/address changed/)
  const third = await send(staff, { kind: 'subscribers', source }, rows(word, 'Oui toujours'))
  expect(await run(staff, third.body.id_import)).toMatchObject({ updated: { networks: 1 } })
})

test('an entry that its source repeats far below is counted in the trial as in the import', async () => {
  const word = unique()
  const row = (index: number, text = 'Oui') => `${word}-${index}@example.com,${text},2025-01-02`
  const rows = [
    'pas une adresse,Oui,2025-01-02',
    ...Array.from({ length: 230 }, (_, index) => row(index)),
    row(0),
    row(1, 'Oui encore'),
  ]
  const sent = await send(
    staff,
    { kind: 'subscribers', source: `https://${word}.example` },
    ['email,consentement,consentement le', ...rows, ''].join('\n'),
  )
  const expected = { created: { networks: 230 }, updated: {}, known: 1, refused_total: 2 }
  expect(sent.body).toMatchObject(expected)
  const done = await run(staff, sent.body.id_import)
  expect(done).toMatchObject({ state: 'done', ...expected })
  expect(done.refused.at(-1)).toEqual(sent.body.refused.at(-1))
})

test('requests, subscribers and users come with their dates, consent and rights, and wake nobody', async () => {
  const word = unique()
  const mailsBefore = await product.db.$count(mails)
  const requests = `ticket id,requester email,subject,description,status,created at\n7,${word}@example.com,Panne,Rien ne marche,closed,2024-03-05 08:30\n8,pas une adresse,x,y,new,\n9,${word}@example.com,x,y,peut-être,\n`
  const first = await send(staff, { kind: 'requests' }, requests)
  expect(first.body).toMatchObject({ created: { requests: 1 }, refused_total: 2 })
  await run(staff, first.body.id_import)
  const found = await staff.get<{ subject: string; status: string; created_at: string }[]>(
    `/api/requests/requests?search=${word}`,
  )
  expect(found.body).toMatchObject([{ subject: 'Panne', status: 'done', created_at: '2024-03-05T08:30:00.000Z' }])

  const people = `email,consentement,consentement le\n${word}@example.com,J’accepte,2025-01-02\n${word}b@example.com,,2025-01-02\n${word}c@example.com,Oui,hier\n`
  const second = await send(staff, { kind: 'subscribers' }, people)
  expect(second.body).toMatchObject({ created: { networks: 1 }, refused_total: 2 })
  await run(staff, second.body.id_import)

  const group = `Group of ${staff.user.username}`
  const accounts = `username,full name,email,group\n${word},Une Personne,${word}@example.com,${group}\n${word}2,B,${word}2@example.com,Aucun\n`
  const third = await send(staff, { kind: 'users' }, accounts)
  expect(third.body).toMatchObject({ created: { users: 1 }, refused_total: 1 })
  await run(staff, third.body.id_import)
  const users = await staff.get<{ username: string; locked: boolean; invited: boolean }[]>('/api/users/users')
  expect(users.body.find(({ username }) => username === word)).toMatchObject({ locked: true, invited: true })
  expect(await product.db.$count(mails)).toEqual(mailsBefore)
})

describe('a WordPress export', () => {
  test('comes as drafts, its languages joined, and the rest counted with its reason', async () => {
    const word = unique()
    const content = site(
      [
        item(
          1,
          `${word} boîte vocale`,
          '<!-- wp:paragraph --><h2>Un</h2><p>Texte [gallery ids="1"]<script>x</script></p>',
          polylang('fr', 'pll_1'),
        ),
        item(2, `${word} voicemail`, 'First\n\nSecond', polylang('en', 'pll_1')),
        item(3, `${word} imprimante`, '<p>A</p>', wpml('fr', '9')),
        item(4, `${word} printer`, '<p>B ]]]]><![CDATA[> C</p>', wpml('en', '9')),
        item(5, `${word} secret`, '<p>x</p>', '<wp:post_password>abc</wp:post_password>'),
        item(6, `${word} hola`, '<p>x</p>', polylang('es', 'pll_2')),
        item(7, '', ' '),
        item(8, 'corbeille', 'x').replace('publish', 'trash'),
        item(9, 'image', '').replace('>post<', '>attachment<'),
        item(10, `${word} &lt;b&gt; &amp; seul`, '<p>Seul</p>', '<wp:comment><wp:comment_id>1</wp:comment_id></wp:comment>'),
      ].join(''),
    )
    const { status, body } = await send(staff, { kind: 'wordpress', source: `https://${word}.example` }, content, 'site.xml')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      created: { articles: 3 },
      refused_total: 3,
      left_out: { translations: 2, bin: 1, attachments: 1, comments: 1 },
      total: 16,
    })
    const done = await run(staff, body.id_import)
    expect(done).toMatchObject({ state: 'done', created: { articles: 3, company: 5 } })
    const found = (await product.db.select().from(articles)).filter(({ title }) => title.startsWith(word))
    expect(found.map(({ isPublished }) => isPublished)).toEqual([false, false, false])
    expect(found.find(({ title }) => title.endsWith('vocale'))).toMatchObject({
      titleEn: `${word} voicemail`,
      body: '<h3>Un</h3><p>Texte </p>',
      bodyEn: '<p>First</p><p>Second</p>',
    })
    expect(found.find(({ title }) => title.endsWith('imprimante'))?.bodyEn).toContain('C')
    expect(found.find(({ title }) => title.endsWith('seul'))?.title).toBe(`${word} <b> & seul`)
    expect((await send(staff, { kind: 'wordpress', source: `https://${word}.example` }, content)).body).toMatchObject({
      known: 8,
    })
    const changed = await send(staff, { kind: 'wordpress', as: 'notes' }, content)
    expect(changed.body).toMatchObject({ created: { notes: 3 } })
  })

  test('keeps its old addresses, each in its language, until it is undone', async () => {
    const word = unique()
    const origin = `https://${word}.example/blogue`
    const at = (id: number, path: string, more = '') =>
      item(id, `${word} ${id}`, '<p>A</p>', more).replace(`https://ancien.example/${id}/`, `https://${word}.example${path}`)
    const content = site(
      [
        at(1, `/${word}/bo%C3%AEte/`, polylang('fr', 'pll_1')),
        at(2, `/en/${word}/voicemail/`, polylang('en', 'pll_1')),
        at(3, `/?p=${word.length}`),
        at(4, '/contact/'),
        item(7, `${word} ailleurs`, '<p>A</p>'),
        at(8, `/${word}/secret/`, '<wp:post_password>abc</wp:post_password>'),
      ].join(''),
      '',
      `<wp:base_site_url>https://${word}.example/</wp:base_site_url><wp:base_blog_url>${origin}/</wp:base_blog_url>`,
    )
    const tried = await send(staff, { kind: 'wordpress' }, content, 'site.xml')
    const expected = { created: { articles: 4, company: 3 }, refused_total: 2, left_out: { translations: 1 }, total: 10 }
    expect(tried.body).toMatchObject({ ...expected, source: origin })
    const done = await run(staff, tried.body.id_import)
    expect(done).toMatchObject({ ...expected, state: 'done' })
    expect(done.refused.map(({ name }) => name)).toEqual([`${word} 8`, '/contact/'])
    const article = (await product.db.select().from(articles)).find(({ title }) => title === `${word} 1`)
    const list = async () =>
      (await staff.get<{ from: string; to: string; state: string }[]>(`/api/redirects/redirects?q=${word}`)).body
    await expect
      .poll(async () => (await list()).map(({ from, to, state }) => [from, to, state]).toSorted())
      .toEqual(
        [
          [`/?p=${word.length}`, expect.stringMatching(/^\/aide\//), 'waiting'],
          [`/en/${word}/voicemail/`, `/aide/${article?.slugEn}?lang=en`, 'waiting'],
          [`/${word}/boîte/`, `/aide/${article?.slug}`, 'waiting'],
        ].toSorted(),
      )
    const again = await send(staff, { kind: 'wordpress' }, content.replace('<p>A</p>', '<p>B</p>'), 'site.xml')
    expect(again.body).toMatchObject({ updated: { articles: 1 }, known: 6, refused_total: 2 })
    const undone = await staff.post<ImportResult>(`/api/imports/imports/${tried.body.id_import}/undo`)
    expect(undone.body).toMatchObject({ state: 'undone', left: 0 })
    expect(await list()).toEqual([])
  })

  test('whose page is refused leaves no address behind', async () => {
    const word = unique()
    const long = item(1, word, `<p>${'a'.repeat(10_001)}</p>`).replace('/1/', `/${word}/`)
    const { body } = await send(staff, { kind: 'wordpress', as: 'notes' }, site(long), 'site.xml')
    expect(body).toMatchObject({ created: {}, refused_total: 2 })
    expect(body.refused[1]?.reason).toMatch(/page that this address led to/)
  })

  test('becomes notices of the day here, and none that is cut', async () => {
    const word = unique()
    const day = '<wp:post_date_gmt>2024-03-05 02:00:00</wp:post_date_gmt>'
    const content = site(
      item(1, word, '<p>A</p>', day) + item(2, `${word} long`, `<p>${'a'.repeat(10_001)}</p>`, day),
    ).replaceAll('ancien.example/', `ancien.example/${word}/`)
    const { body } = await send(staff, { kind: 'wordpress', as: 'notes' }, content, 'site.xml')
    expect(body).toMatchObject({ created: { notes: 1, company: 1 }, refused_total: 2 })
    expect(body.refused[0]?.reason_fr).toMatch(/10\s?000/)
    await run(staff, body.id_import)
    const stored = (await product.db.select().from(notes)).filter(({ note }) => note.startsWith(word))
    expect(stored.map(({ date }) => date)).toEqual(['2024-03-04'])
  })
})
