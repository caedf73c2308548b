import { expect, test } from 'vitest'
import type { Rewritings } from '#src/server/database/rewriting-file.ts'
import { findRewritingHealth } from './rewriting.ts'

const now = Date.parse('2026-11-27T15:00:00Z')
const at = (days: number) => new Date(now - days * 86_400_000).toISOString()
const report = (found: Rewritings | null) =>
  findRewritingHealth({ upkeep: found && { find: () => found, run: async () => undefined, recordStart: () => undefined } }, now)
const last = { at: at(0.25), tables: 12, longestMs: 640, failed: [] }

test.each([
  ['PostgreSQL', null, 'OK', /autovacuum.*pg_repack/],
  ['a first day', { since: at(0.5), last: null }, 'OK', /until the first rewriting, at 4:10\u00A0AM/],
  ['a night', { since: at(9), last }, 'OK', /^On Nov 27, 2026.*12 tables were rewritten; .* 0\.6\u00A0s.*WAL.*next rewriting/],
  ['one table', { since: at(9), last: { ...last, tables: 1 } }, 'OK', /1 table was rewritten/],
  ['a failure', { since: at(9), last: { ...last, failed: ['public.chats'] } }, 'ERROR', /could not be .*public\.chats/],
  ['two missed nights', { since: at(9), last: { ...last, at: at(2.9) } }, 'OK', /12 tables/],
  ['three missed nights', { since: at(9), last: { ...last, at: at(3.1) } }, 'ERROR', /for three days/],
  ['no night since the start', { since: at(3.1), last: null }, 'ERROR', /for three days/],
])('the health page says after %s what of deleted rows is left', (_case, found, status, line) => {
  const { status: shown, lines } = report(found)
  expect(shown).toBe(status)
  expect(lines.map(({ en }) => en).join(' ')).toMatch(line)
})

test('in French the date and the duration are French', () => {
  expect(report({ since: null, last }).lines[0]?.fr).toMatch(/^Le 27 nov\. 2026.*12 tables ont été réécrites.* 0,6\u00A0s\./)
})
