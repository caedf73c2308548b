import { expect, test } from 'vitest'
import { readCallName, readCsvSidecar, readJsonSidecar } from './call-facts.ts'

const date = '2026-11-20T14:30:00'
const tail = '20261120-143000-1700000000.1.wav'

test.each([
  [`out-4185550123-101-${tail}`, { direction: 'out', caller: '101', callee: '4185550123', agent: '101' }],
  [`external-101-4185550123-${tail}`, { direction: 'in', caller: '4185550123', callee: '101', agent: '101' }],
  [`in-4185550100-4185550123-${tail}`, { direction: 'in', caller: '4185550123', callee: '4185550100', agent: '' }],
  [`internal-102-101-${tail}`, { direction: 'internal', caller: '101', callee: '102', agent: '101' }],
  [`exten-102-101-${tail}`, { direction: 'internal', caller: '101', callee: '102', agent: '101' }],
  [`exten-102-5145550199-${tail}`, { direction: 'in', caller: '5145550199', callee: '102', agent: '102' }],
  [`q-600-4185550123-${tail}`, { direction: 'in', caller: '4185550123', callee: '600', agent: '' }],
  [`rg-601-4185550123-${tail}`, { direction: 'in', caller: '4185550123', callee: '601', agent: '' }],
  [`external-101-anonymous-${tail}`, { direction: 'in', caller: '', callee: '101', agent: '101' }],
  [`force-4185550123-101-${tail}`, { direction: 'out', caller: '101', callee: '4185550123', agent: '101' }],
  ['20261120-143000-4185550123-101.mp3', { direction: 'in', caller: '4185550123', callee: '101', agent: '101' }],
  ['20261120-143000_101_4185550123.gsm', { direction: 'out', caller: '101', callee: '4185550123', agent: '101' }],
  [`OUT101-${tail}`, { direction: 'out', caller: '101', callee: '', agent: '101' }],
  [`q600-${tail}`, { direction: 'in', caller: '', callee: '600', agent: '' }],
])('reads the facts of %s', (name, facts) => {
  expect(readCallName(name)).toEqual({ date, ...facts })
})

test.each(['message.wav', 'out-4185550123-101-20261320-143000-1.wav', 'out-1-2-20261120-256000-1.wav', '', '../../etc/passwd'])(
  'finds no facts in %s',
  (name) => expect(readCallName(name)).toBeNull(),
)

test('a JSON sidecar may be partial and may have unknown fields', () => {
  const note = { date: '2026-11-20T14:30:00-05:00', agent: 'Zoé', uniqueid: '17.1' }
  expect(readJsonSidecar(`\uFEFF${JSON.stringify(note)}`)).toEqual({ date: note.date, agent: 'Zoé' })
})

test.each(['', '[]x', '{"direction":"sideways"}', '{"date":"yesterday"}', '{"caller":7}'])('rejects %s', (content) => {
  expect(() => readJsonSidecar(content)).toThrow('sidecar')
})

test('a CSV sidecar has a row per file, with either separator and quotes', () => {
  const table = 'file;caller;agent\r\n"a.wav";"418 555-0123";"Roy; ""Zoé"""\r\nb.wav;;\r\n'
  expect(readCsvSidecar(table)).toEqual(
    new Map([
      ['a.wav', { caller: '418 555-0123', agent: 'Roy; "Zoé"' }],
      ['b.wav', {}],
    ]),
  )
  expect(readCsvSidecar('agent,file\nx,c.wav').get('c.wav')).toEqual({ agent: 'x' })
})

test.each(['', 'caller\n1', 'file,direction\na.wav,up'])('rejects the table %j', (content) => {
  expect(() => readCsvSidecar(content)).toThrow('sidecar')
})
