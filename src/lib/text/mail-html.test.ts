import { describe, expect, test } from 'vitest'
import { htmlOfText, mailHtmlOf, mailTextOf } from './mail-html.ts'

test('a text becomes paragraphs whose links can be pressed, and nothing of it becomes markup', () => {
  const body = `Bonjour <b>&\n"Zoé"\n\nhttps://example.com/admin/password#a_b?c=1&d.\n\n--\nGuichet, 418 555-0100\n`
  const html = htmlOfText({ subject: '</title><script>', body, language: 'fr' })
  expect(html).toMatch(/^<!doctype html><html lang="fr">/)
  expect(html).toContain('<title>&lt;/title&gt;&lt;script&gt;</title>')
  expect(html).toContain('>Bonjour &lt;b&gt;&amp;<br>&quot;Zoé&quot;</p>')
  expect(html).toContain(
    '<a href="https://example.com/admin/password#a_b?c=1&amp;d">https://example.com/admin/password#a_b?c=1&amp;d</a>.</p>',
  )
  expect(html).toMatch(/border-top[^>]*>Guichet, 418 555-0100<\/p>/)
  // Nothing tells the sender that the mail was opened.
  expect(html).not.toMatch(/<img|src=|url\(|<link/)
})

test('each language of a mail to the staff is marked, and a line of a visitor is none', () => {
  const parts = ['Bonjour', 'Hello', 'encore']
  const html = (count: number, language?: 'en') =>
    htmlOfText({ subject: 'x', body: parts.slice(0, count).join('\n\n---\n\n'), language })
  expect(html(2)).toMatch(/lang="fr"[^]*>Bonjour<\/p>\s*<div lang="en"[^>]*>\s*<p[^>]*>Hello<\/p>\s*<\/div>/)
  expect(html(3)).not.toContain('lang="en"')
  expect(html(2, 'en')).not.toContain('<div lang')
  expect(html(2, 'en')).toContain('<html lang="en">')
})

test('a long text takes the time of its length', () => {
  expect(htmlOfText({ subject: '', body: `${'https://('.repeat(50_000)}\n---`.repeat(2), language: undefined })).toContain(
    '</html>',
  )
})

describe('rich text in a mail', () => {
  const html =
    '<h3>Heures</h3><p>Ouvert &amp; prêt.</p><ul><li><p>Lundi</p></li><li><p>Mardi</p></li></ul><blockquote><p>Bienvenue!</p></blockquote><p><a href="/contact" rel="x">Nous joindre</a>, <a href="mailto:a@example.com">a@example.com</a></p>'

  test('has the origin of the site in its links, and no other address is changed', () => {
    const mail = mailHtmlOf(html, 'https://www.example.com')
    expect(mail).toContain('<a href="https://www.example.com/contact" rel="x">')
    expect(mail).toContain('<a href="mailto:a@example.com">')
    expect(mailHtmlOf('<a href="//evil.example">x</a>', 'https://www.example.com')).toContain('href="//evil.example"')
  })

  test('as plain text keeps its paragraphs, points and addresses', () => {
    expect(mailTextOf(html, 'https://www.example.com')).toBe(
      'Heures\n\nOuvert & prêt.\n\n- Lundi\n- Mardi\n\nBienvenue!\n\nNous joindre (https://www.example.com/contact), a@example.com',
    )
  })
})
