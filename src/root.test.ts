import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { pageContext } from '#src/ui/page/page-context.ts'
import { loader } from './root.tsx'

test('search engines find on the home page alone whose site it is', () => {
  const marks = { 'google-site-verification': 'a-mark-of-the-test', 'msvalidate.01': '0123456789ABCDEF' }
  const company = { findFacts: () => null, findCurrentFacts: () => ({}), marks }
  const load = (path: string) => {
    const context = new RouterContextProvider()
    context.set(pageContext, {
      origin: 'https://www.example.com',
      services: { company, descriptions: { find: () => null } },
    } as never)
    return loader({ request: new Request(`https://www.example.com${path}`), context } as never).marks
  }
  expect(load('/')).toEqual(marks)
  expect(load('/?lang=en')).toEqual(marks)
  expect(load('/about')).toBeUndefined()
})
