import { describe, expect, test } from 'vitest'
import { timeGrowth } from '#src/lib/testing/time-growth.ts'
import { cleanRichText } from './rich-text.ts'

describe('rich text', () => {
  test('keeps allowed elements', () => {
    const html =
      '<p>a <strong>b</strong> <em>c</em> <u>d</u> <s>e</s><br />f</p><h3>g</h3><h4>h</h4><blockquote><p>i</p></blockquote>' +
      '<ul><li><p>j</p></li></ul><ol><li>k</li></ol>' +
      '<p><a href="mailto:zoe@example.com">l</a> <a href="tel:+18005550142">m</a> <a href="/reseau">n</a></p>'
    expect(cleanRichText(html)).toBe(html)
  })

  test('external links send no referrer and no opener', () => {
    expect(cleanRichText('<a href="https://example.com" target="_blank" rel="opener">x</a>')).toBe(
      '<a href="https://example.com" rel="noopener noreferrer">x</a>',
    )
  })

  test.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<p>a<img src=x onerror=alert(1)></p>', '<p>a</p>'],
    ['<svg><script>alert(1)</script></svg>a', 'a'],
    ['<p onclick=alert(1) style="position:fixed" class=x>a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href=" jav&#x09;ascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="JaVaScRiPt&colon;alert(1)">a</a>', '<a>a</a>'],
    ['<a href="data:text/html,<script>alert(1)</script>">a</a>', '<a>a</a>'],
    ['<a href="vbscript:x">a</a>', '<a>a</a>'],
    ['<a href="//evil.example">a</a>', '<a>a</a>'],
    ['<iframe src="https://example.com"></iframe>a', 'a'],
    ['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">', ''],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">a</noscript>', '<p>a</p>'],
    ['<textarea><img src=x onerror=alert(1)></textarea>a', 'a'],
    ['<form action="https://evil.example"><input name=password>a</form>', 'a'],
    ['<p>a<!-- b --></p>', '<p>a</p>'],
    ['<h1>a</h1><b>b</b><i>c</i>', '<h3>a</h3><strong>b</strong><em>c</em>'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
  ])('sanitizes %s', (dirty, clean) => {
    expect(cleanRichText(dirty)).toBe(clean)
  })

  test('keeps superscripts, subscripts and tables, without what spans, colors or sizes them', () => {
    const html =
      '<p>Le 1<sup>er</sup> mai, H<sub>2</sub>O</p><table><thead><tr><th scope="col">Jour</th></tr></thead>' +
      '<tbody><tr><td><p>Lundi</p></td></tr></tbody></table>'
    expect(cleanRichText(html)).toBe(html)
    expect(
      cleanRichText('<table border=1 class=x><tr><th scope="x" colspan=9>a</th><td style="width:9px">b</td></tr></table>'),
    ).toBe('<table><tr><th>a</th><td>b</td></tr></table>')
    expect(cleanRichText('<table><tr><td>a</td></tr></table>', '', { tables: false })).toBe('a')
  })

  test('takes addresses out of the redirects of documents and mails', () => {
    expect(cleanRichText('<a href="https://www.google.com/url?q=https://example.com/a&amp;sa=D">x</a>')).toBe(
      '<a href="https://example.com/a" rel="noopener noreferrer">x</a>',
    )
    expect(cleanRichText('<a href="https://www.google.com/url?q=javascript:alert(1)">x</a>')).toContain('google.com/url')
  })

  test('a text that is too long names its length and the limit', () => {
    const refused = expect.objectContaining({ errors: [{ path: 'corps', message: 'too long: 50007 of 50000' }] })
    expect(() => cleanRichText(`<p>${'a'.repeat(50_000)}</p>`, 'corps')).toThrow(refused)
  })

  test('sanitizing is idempotent', () => {
    const once = cleanRichText('<p>a &amp; b <a href="https://example.com?a=1&b=2">c</a></p>')
    expect(cleanRichText(once)).toBe(once)
  })

  test('text without visible content becomes empty', () => {
    expect(cleanRichText('<p></p>')).toBe('')
    expect(cleanRichText('<p><br></p>')).toBe('')
  })

  test('sanitizes hostile text in linear time', () => {
    expect(timeGrowth((size) => cleanRichText('<blockquote>'.repeat(size)), 400)).toBeLessThan(50)
    expect(timeGrowth((size) => cleanRichText('<'.repeat(size)), 1_200)).toBeLessThan(50)
  })
})
