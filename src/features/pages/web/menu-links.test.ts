import { describe, expect, test } from 'vitest'
import { currentOf, isUnder } from '#src/features/pages/web/menu-links.ts'

describe('the current section', () => {
  test('a page is current for its own link, and marks its parents', () => {
    expect(currentOf('/emploi', '/emploi')).toBe('page')
    expect(currentOf('/emploi/voir/3', '/emploi')).toBe(true)
    expect(currentOf('/contact', '/emploi')).toBeUndefined()
  })

  test('a path that only shares a prefix is not in the section', () => {
    expect(isUnder('/teamwork', '/team')).toBe(false)
    expect(isUnder('/team/employe/4', '/team')).toBe(true)
  })
})
