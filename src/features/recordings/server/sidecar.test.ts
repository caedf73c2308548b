import { expect, test } from 'vitest'
import { readCsvSidecar, readJsonSidecar } from './sidecar.ts'

test('a JSON sidecar may be partial and may have unknown fields', () => {
  const note = { date: '2026-11-20T14:30:00-05:00', agent: 'Zoé', uniqueid: '17.1' }
  expect(readJsonSidecar(`\uFEFF${JSON.stringify(note)}`)).toEqual({ date: note.date, agent: 'Zoé' })
})

test.each(['', '[]x', '{"direction":"sideways"}', '{"date":"yesterday"}', '{"caller":7}'])('%s is refused', (content) => {
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

test.each(['', 'caller\n1', 'file,direction\na.wav,up'])('the table %j is refused', (content) => {
  expect(() => readCsvSidecar(content)).toThrow('sidecar')
})
