import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Rights } from '#src/lib/rights.ts'
import { everyRight } from '#src/lib/rights.ts'
import { areasOf } from '#src/lib/feature.ts'
import { features } from '../features.ts'
import { optionsOf, stillFound } from './palette-options.ts'
import { Marked } from './palette.tsx'

const all = everyRight(areasOf(features))
const pathsOf = (text: string, rights: Rights = all, recent: string[] = []) =>
  optionsOf(rights, text, [], recent).map(({ path }) => path)

test.each([
  ['panne', '/admin/reseau/pannes/nouvelle'],
  ['outage', '/admin/reseau/pannes/nouvelle'],
  ['publier le bandeau d’urgence', '/admin/notes#home-message'],
  ["publier le bandeau d'urgence", '/admin/notes#home-message'],
  ['publish banner', '/admin/notes#home-message'],
  ['EMERGENCY banner', '/admin/notes#home-message'],
  ['ajouter emploi', '/admin/emploi_nouveau'],
  ['inviter technicien', '/admin/user_nouveau'],
  ['equipe', '/admin/equipe'],
  ['team', '/admin/equipe'],
  ['etat du systeme', '/admin/etat'],
  ['profil', '/admin/profile'],
])('« %s » finds %s, in either language and without accents', (text, path) => {
  expect(pathsOf(text)).toContain(path)
})

test('what one may only see is locked and leads to where it stands; what one may not see is not there', () => {
  const reader = { networks: 'read_only', home: 'read_only', jobs: 'read_only' } as const
  const found = (text: string) =>
    optionsOf(reader, text, [], []).map(({ label, path, isLocked = false }) => [label.fr, path, isLocked])
  expect(found('declarer une panne')).toContainEqual(['Déclarer une panne', '/admin/reseau/pannes', true])
  expect(found('emploi')).toEqual([
    ['Ajouter un emploi', '/admin/emplois', true],
    ['Emplois', '/admin/emplois', false],
  ])
  expect(pathsOf('panne', reader)).not.toContain('/admin/reseau/pannes/nouvelle')
  expect(pathsOf('utilisateurs', reader)).toEqual([])
  expect(pathsOf('inviter', reader)).toEqual([])
  expect(optionsOf(reader, '', [], []).filter((one) => one.isLocked)).toEqual([])
  expect(pathsOf('emploi', { jobs: 'read_write' })).toEqual(['/admin/emploi_nouveau', '/admin/emplois'])
})

test('without a text, the last places that are still open to one, and what one usually does', () => {
  const recent = ['/admin/demandes/12', '/admin/users', '/admin/reseau', '/admin/unknown/1']
  const options = optionsOf({ requests: 'read_only', networks: 'read_write' }, '', [], recent)
  expect(options.map(({ group, label }) => [group, label.fr])).toEqual([
    ['recent', 'Demande 12'],
    ['recent', 'Réseau statut'],
    ['act', 'Déclarer une panne'],
  ])
})

test('an entry among the last places has the icon of the page around it that is nearest', () => {
  const recent = ['/admin/reseau/pannes/7', '/admin/incident_edit/3']
  expect(optionsOf(all, '', [], recent).flatMap(({ group, page }) => (group === 'recent' ? [page] : []))).toEqual([
    '/admin/reseau/pannes',
    '/admin/incident_edit/3',
  ])
  const guest = optionsOf({ chat: 'read_write' }, '', [], ['/admin/chat/replies/4'])
  expect(guest[0]).toMatchObject({ page: '/admin/chat', hint: { fr: 'Clavardage' } })
})

test.each(['-', "'", '’ ', '–'])('« %s » has no word, so nothing matches it', (text) => {
  expect(pathsOf(text)).toEqual([])
})

test('while the server looks for a new text, only what matches that one stays of the former results', () => {
  const outageOf = (fr: string, en: string) => ({
    group: 'act' as const,
    label: { fr: `Mettre ${fr} en panne`, en: `Declare an outage of ${en}` },
    hint: { fr: 'Québec', en: 'Québec' },
    path: `/admin/reseau/pannes/nouvelle?element=${fr}`,
    page: '/admin/reseau/pannes',
  })
  const found = [outageOf('Téléphonie', 'Telephony'), outageOf('Fibre', 'Fiber')]
  const left = (q: string) => stillFound(found, q).map(({ label }) => label.fr)
  expect(left('mettre fib')).toEqual(['Mettre Fibre en panne'])
  expect(left('TELEPHONY quebec')).toEqual(['Mettre Téléphonie en panne'])
  expect(left('messagerie')).toEqual([])
  expect(left('')).toEqual([])
})

test('what the server found comes by group: actions, pages, then records, each once', () => {
  const record = { label: { fr: 'Annie', en: 'Annie' }, hint: { fr: '', en: '' }, page: '/admin/demandes' }
  const found = [
    { ...record, group: 'work' as const, path: '/admin/demandes/1' },
    { ...record, group: 'work' as const, path: '/admin/demandes/1' },
    { ...record, group: 'people' as const, path: '/admin/user_edit/1' },
    { ...record, group: 'act' as const, path: '/admin/reseau/pannes/nouvelle?reseau=1' },
  ]
  const paths = optionsOf({ networks: 'read_write' }, 'panne', found, []).map(({ path }) => path)
  expect(paths).toEqual([
    '/admin/reseau/pannes/nouvelle',
    '/admin/reseau/pannes/nouvelle?reseau=1',
    '/admin/reseau/pannes',
    '/admin/reseau/abonnes',
    '/admin/user_edit/1',
    '/admin/demandes/1',
  ])
})

test.each([
  ['Téléphonie IP en panne', ['telephonie'], '<mark>Téléphonie</mark><span> IP en panne</span>'],
  ['Accès d’équipe', ['equipe', 'acces'], '<mark>Accès</mark><span> d’</span><mark>équipe</mark>'],
  ['<b>&', ['<b>'], '<mark>&lt;b&gt;</mark><span>&amp;</span>'],
  ['👩‍💻 Zoé', ['zoe'], '<span>👩‍💻 </span><mark>Zoé</mark>'],
  ['Annie', [], '<span>Annie</span>'],
])('marks in « %s » the words that matched', (text, words, html) => {
  expect(renderToStaticMarkup(<Marked text={text} words={words} />)).toBe(`<bdi translate="no">${html}</bdi>`)
})
