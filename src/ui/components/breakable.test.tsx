import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Breakable } from './breakable.tsx'

describe('a long address', () => {
  it.each([
    ['zoe@example.com', 'zoe<wbr/>@example.com'],
    ['marie-christine.lachance-beauregard@example.com', 'marie-christine<wbr/>.lachance-beauregard<wbr/>@example.com'],
    ['/telecom/soft_phone_cell_tutorial', '/telecom<wbr/>/soft<wbr/>_phone<wbr/>_cell<wbr/>_tutorial'],
    ['Louise Gagné', 'Louise Gagné'],
  ])('%s breaks at readable places', (text, markup) => {
    expect(renderToStaticMarkup(<Breakable text={text} />).replaceAll(/<\/?span>/g, '')).toBe(markup)
  })
})
