import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isSafePdf } from './safe-pdf.ts'

const head = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n'
const tail = '\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n'
const pdf = (...parts: (string | Buffer)[]) =>
  Buffer.concat([head, ...parts, tail].map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
const packed = (objects: string, dictionary = '/Type /ObjStm /Filter /FlateDecode') => [
  `5 0 obj\n<< ${dictionary} >>\nstream\n`,
  deflateSync(Buffer.from(objects)),
  '\nendstream\nendobj',
]

describe('isSafePdf', () => {
  test('takes pages, with links, pictures and packed objects', () => {
    const picture = Buffer.from('\x00/JS /Launch\xff', 'latin1')
    expect(isSafePdf(pdf('3 0 obj\n<< /OpenAction [4 0 R /Fit] /URI (https://example.com) >>\nendobj'))).toBe(true)
    expect(isSafePdf(pdf('4 0 obj\n<< /Subtype /Image >>\nstream\n', picture, '\nendstream\nendobj'))).toBe(true)
    expect(isSafePdf(pdf(...packed('6 0 << /Type /Page >>')))).toBe(true)
  })

  test.each([
    ['a script', pdf('3 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj')],
    ['a script under an escaped name', pdf('3 0 obj\n<< /S /J#61vaScript /#4a#53 (x) >>\nendobj')],
    ['a script among packed objects', pdf(...packed('6 0 << /S /JavaScript /JS (x) >>'))],
    [
      'a script among objects packed under an escaped name',
      pdf(...packed('6 0 << /JS (x) >>', '/Type /Obj#53tm /Filter /FlateDecode')),
    ],
    ['objects packed in a way that is not read', pdf(...packed('x', '/Type /ObjStm /Filter [/ASCII85Decode /FlateDecode]'))],
    ['objects behind a comment that looks like a stream', pdf('% stream\n3 0 obj\n<< /JS (x) >>\nendobj\n% endstream')],
    ['a program', pdf('3 0 obj\n<< /S /Launch /F (cmd.exe) >>\nendobj')],
    ['another file', pdf('3 0 obj\n<< /EmbeddedFiles 4 0 R >>\nendobj')],
    ['a password', pdf('3 0 obj\n<< /Encrypt 4 0 R >>\nendobj')],
    ['a stream without end', pdf('4 0 obj\n<< >>\nstream\nabc')],
    ['something before it', Buffer.concat([Buffer.from('MZ'), pdf()])],
    ['an archive behind it', Buffer.concat([pdf(), Buffer.from('PK\x03\x04'.padEnd(200, 'x'))])],
    ['a page that only calls itself one', Buffer.from('%PDF-1.7<script>alert(1)</script>')],
    ['too much inside', pdf(...packed(' '.repeat(40 * 1024 * 1024)))],
  ])('refuses %s', (_name, bytes) => {
    expect(isSafePdf(bytes)).toBe(false)
  })
})
