import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../types.ts'
import type { SearchEntry } from './search.ts'
import { createSearch, sameUrl, wholeSource } from './search.ts'

let entries: SearchEntry[] = []
let changed: EventEmitter
let search: ReturnType<typeof createSearch>
let pairs: [string, string][] = []

function entry(key: string, fr: [string, string], en: [string, string] = ['', ''], more: Partial<SearchEntry> = {}): SearchEntry {
  return {
    key,
    kind: 'article',
    title: { fr: fr[0], en: en[0] },
    text: { fr: fr[1], en: en[1] },
    url: sameUrl(`/${key}`),
    ...more,
  }
}

beforeEach(() => {
  changed = new EventEmitter()
  const app = { events: { onChanged: (listener: (area: string) => void) => changed.on('changed', listener) } }
  entries = [
    entry('phone', ['Mon téléphone est muet', 'Débranchez le câble.'], ['My phone is silent', 'Unplug the cable.']),
    entry('printer', ['L’imprimante n’imprime plus', 'Vérifiez la file.'], ['The printer does not print', 'Check the queue.']),
    entry('password', ['Mot de passe oublié', 'Cliquez sur le lien <b> & attendez.']),
  ]
  pairs = []
  search = createSearch(app as unknown as App, [
    { ...wholeSource(['articles'], async () => entries), findPairs: async () => pairs },
  ])
})

const keys = async (text: string, language: 'fr' | 'en' = 'fr') => (await search.find(text, language, 8)).map(({ key }) => key)

describe('a search finds', () => {
  test.each([
    ['without accents', 'telephone'],
    ['in capitals', 'TÉLÉPHONE MUET'],
    ['in the plural', 'les téléphones muets'],
    ['with a typing error', 'télefone'],
    ['while the word is typed', 'télép'],
    ['by a question', 'Pourquoi est-ce que mon téléphone ne marche pas?'],
    ['in the other language', 'silent phone'],
    ['with decomposed accents', 'te\u0301le\u0301phone'],
  ])('%s', async (_name, text) => {
    expect((await keys(text))[0]).toBe('phone')
  })

  test('terms that the glossary joins, of one word or several', async () => {
    expect(await keys('forgot password', 'en')).toEqual([])
    pairs = [['mot de passe', 'password']]
    expect(await keys('forgot password', 'en')).toEqual(['password'])
    expect(await keys('passwords', 'en')).toEqual(['password'])
  })

  test('by a pair of terms that was read once, whatever list it comes in', async () => {
    let reads = 0
    const pair = new Proxy<[string, string]>(['mot de passe', 'password'], {
      get(target, key) {
        if (key === '0') reads += 1
        return Reflect.get(target, key) as unknown
      },
    })
    for (const text of ['forgot password', 'passwords']) {
      pairs = [pair]
      expect(await keys(text, 'en')).toEqual(['password'])
    }
    expect(reads).toBe(1)
  })

  test('only words as they are written, where typing errors do not count', async () => {
    const strictly = async (text: string) =>
      (await search.find(text, 'fr', 8, undefined, { isFuzzy: false })).map(({ key }) => key)
    expect(await strictly('télefone')).toEqual([])
    for (const text of ['téléphone', 'téléphones', 'télép']) expect(await strictly(text)).toEqual(['phone'])
  })

  test('the best of each kind, whatever matches better in another', async () => {
    const filler = 'Le câble a une longue histoire que personne ne lit jusqu’au bout. '.repeat(20)
    entries = [
      ...entries,
      ...['a', 'b', 'c'].map((key) => entry(key, ['Câble câble câble', 'Câble.'], undefined, { kind: 'note' })),
      entry('far', ['Autre chose', filler], undefined, { kind: 'job' }),
    ]
    changed.emit('changed', 'articles')
    const found = await search.find('câble', 'fr', 2, undefined, { isPerKind: true })
    const byKind = Object.groupBy(found, ({ kind }) => kind)
    expect(
      Object.entries(byKind)
        .map(([kind, all]) => [kind, all?.length])
        .toSorted(),
    ).toEqual([
      ['article', 1],
      ['job', 1],
      ['note', 2],
    ])
    expect((await search.find('câble', 'fr', 2)).map(({ kind }) => kind)).toEqual(['note', 'note'])
  })

  test('nothing for words that say nothing, signs and other alphabets', async () => {
    for (const text of ['', 'le la les', '%', '_', "'", ':*', '&', '😀', 'привет', '漢字', '()', '<script>'])
      expect(await keys(text)).toEqual([])
  })

  test('an urgent entry before all others', async () => {
    entries.push(entry('outage', ['Panne de la voix', 'Les appels par téléphone coupent.'], ['', ''], { isUrgent: true }))
    expect((await keys('téléphone')).slice(0, 2)).toEqual(['outage', 'phone'])
  })

  test('what has changed, and no longer what is gone', async () => {
    expect(await keys('téléphone')).toEqual(['phone'])
    entries = [entry('phone', ['Un autre titre', 'Texte.']), entry('new', ['Téléphone neuf', 'Texte.'])]
    changed.emit('changed', 'jobs')
    expect(await keys('téléphone')).toEqual(['phone'])
    changed.emit('changed', 'articles')
    expect(await keys('téléphone')).toEqual(['new'])
    expect(await keys('autre titre')).toEqual(['phone'])
  })
})

test('only what strangers may read is named by its address', async () => {
  expect(await search.findTitles(['/phone', '/admin', '/password'], 'en')).toEqual([
    { title: 'My phone is silent', url: '/phone' },
    { title: 'Mot de passe oublié', url: '/password' },
  ])
})

describe('a result', () => {
  test('says which words matched, in the language asked for, with marks as its only elements', async () => {
    expect(await search.find('phones', 'en', 8)).toEqual([
      {
        kind: 'article',
        key: 'phone',
        title: 'My phone is silent',
        excerpt: 'Unplug the cable.',
        url: '/phone',
        language: 'en',
        matched: ['phone'],
      },
    ])
    const [found] = await search.find('lien oublié', 'en', 8)
    expect(found).toMatchObject({
      language: 'fr',
      title: 'Mot de passe oublié',
      excerpt: 'Cliquez sur le <mark>lien</mark> &lt;b&gt; &amp; attendez.',
      matched: ['oublié', 'lien'],
    })
  })

  test('shows the part of a long text that matches', async () => {
    entries = [
      entry('long', ['Titre', `${'Une phrase sans rapport. '.repeat(40)}Ici se trouve la numérisation. ${'Suite. '.repeat(60)}`]),
    ]
    const [found] = await search.find('numériser', 'fr', 8)
    expect(found?.excerpt).toMatch(/^….*Ici se trouve la <mark>numérisation<\/mark>\..*…$/)
    expect(found?.excerpt.length).toBeLessThan(220)
  })
})

test('is prepared before the first search, and goes on where the preparation failed', async () => {
  let reads = 0
  let fails = true
  const warnings: string[] = []
  const app = {
    events: { onChanged: () => undefined },
    log: { warn: (_fields: object, message: string) => warnings.push(message) },
  }
  const source = {
    areas: ['articles'],
    findStamps: async () => {
      if (fails) throw new Error('the database is away')
      return new Map(entries.map(({ key }) => [key, '1']))
    },
    load: async (_app: App, wanted: readonly string[]) => {
      reads += 1
      return entries.filter(({ key }) => wanted.includes(key))
    },
  }
  const prepared = createSearch(app as unknown as App, [source])
  await prepared.prepare()
  expect(warnings).toHaveLength(1)
  fails = false
  await prepared.prepare()
  expect(reads).toBe(1)
  expect(await prepared.find('téléphone', 'fr', 8)).toHaveLength(1)
  expect(reads).toBe(1)
})
