import { describe, expect, test } from 'vitest'
import { currentOf, isUnder } from '#src/features/pages/web/menu-links.ts'

describe('the current section', () => {
  test('a page is current for its own link, and its parents know that it is under them', () => {
    expect(currentOf('/emploi', '/emploi')).toBe('page')
    expect(currentOf('/emploi/voir/3', '/emploi')).toBe(true)
    expect(currentOf('/contact', '/emploi')).toBeUndefined()
  })

  test('a path that merely begins with the same letters is elsewhere', () => {
    expect(isUnder('/teamwork', '/team')).toBe(false)
    expect(isUnder('/team/employe/4', '/team')).toBe(true)
  })
})
