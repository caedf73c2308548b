import { describe, expect, test } from 'vitest'
import { foldHistory, readMail } from './mail-in.ts'

const lines = (...all: string[]) => all.join('\n')

describe('the history below what was written', () => {
  test.each([
    [
      'Gmail, French',
      lines('Merci, ça marche.', '', 'Le ven. 20 nov. 2026 à 10:02, Mireille <m@example.com> a écrit :', '', '> Bonjour'),
    ],
    [
      'Gmail, French, on two lines',
      lines(
        'Merci, ça marche.',
        '',
        'Le ven. 20 nov. 2026 à 10:02, Mireille Gagnon de Guichet <',
        'soutien@example.com> a écrit :',
        '> Bonjour',
      ),
    ],
    ['a quoted line alone', lines('Merci, ça marche.', '', '> Bonjour Annie, vos appels')],
    [
      'Gmail, English',
      lines('Merci, ça marche.', '', 'On Fri, Nov 20, 2026 at 10:02 AM Mireille <m@example.com> wrote:', '> Hello'),
    ],
    [
      'Apple Mail',
      lines('Merci, ça marche.', '', '> Le 20 nov. 2026 à 10:02, M <m@example.com> a écrit :', '> ', '> Bonjour', ''),
    ],
    [
      'Outlook, French',
      lines(
        'Merci, ça marche.',
        '',
        '________________________________',
        'De : Guichet <s@example.com>',
        'Envoyé : 20 novembre 2026',
        'À : Annie',
        'Objet : x',
        '',
        'Bonjour',
      ),
    ],
    [
      'Outlook, English',
      lines(
        'Merci, ça marche.',
        '',
        'From: Guichet <s@example.com>',
        'Sent: Friday, November 20, 2026',
        'To: Annie',
        '',
        'Hello',
      ),
    ],
    ['Outlook, older', lines('Merci, ça marche.', '', '-----Message d’origine-----', 'De : Guichet', 'Bonjour')],
    ['Samsung', lines('Merci, ça marche.', '', '-------- Message original --------', 'De : Guichet', 'Bonjour')],
    ['only signs', lines('Merci, ça marche.', '', '> Bonjour', '> Mireille')],
  ])('%s is folded, not dropped', (_name, text) => {
    const folded = foldHistory(text, 'Re: [AS-2026-000118] x')
    expect(folded.text).toBe('Merci, ça marche.')
    expect(folded.quoted.length).toBeGreaterThan(8)
    expect(text.replaceAll(/\s/g, '')).toBe((folded.text + folded.quoted).replaceAll(/\s/g, ''))
  })

  test.each([
    ['a forwarded mail', 'TR : panne', lines('Voir plus bas.', '', 'De : Paul', 'Envoyé : hier', '', 'Rien ne va.')],
    ['nothing but history', 'Re: x', lines('Le 20 nov. 2026, M <m@example.com> a écrit :', '> Bonjour')],
    [
      'what answers between the quoted lines',
      'Re: x',
      lines(
        'Voir mes réponses.',
        '',
        'Le 20 nov. 2026, M <m@example.com> a écrit :',
        '> Quel poste?',
        'Le 214.',
        '> Et depuis quand?',
        'Hier.',
      ),
    ],
    ['an ordinary text', 'x', lines('On Friday everything broke.', 'He wrote: help.')],
  ])('%s stays whole', (_name, subject, text) => {
    expect(foldHistory(text, subject)).toEqual({ text, quoted: '' })
  })
})

const mail = (...all: string[]) => Buffer.from(all.join('\r\n'), 'latin1')

describe('a mail', () => {
  test('in an odd or unknown charset is read', async () => {
    const latin = await readMail(
      mail(
        'From: =?iso-8859-1?Q?Zo=E9?= <z@example.com>',
        'Subject: =?windows-1252?Q?=C9cran?=',
        'Content-Type: text/plain; charset=iso-8859-1',
        '',
        'D\xe9j\xe0 vu.',
      ),
    )
    expect(latin).toMatchObject({ fromName: 'Zoé', subject: 'Écran', text: 'Déjà vu.' })
    const unknown = await readMail(
      mail('From: z@example.com', 'Subject: x', 'Content-Type: text/plain; charset=klingon-8', '', 'Qapla'),
    )
    expect(unknown.text).toContain('Qapla')
  })

  test.each([
    [
      'Outlook on the web',
      '<div>Merci, ça marche.</div><hr tabindex="-1"><div id="divRplyFwdMsg"><font><b>De :</b> Guichet<br><b>Envoyé :</b> vendredi<br><b>À :</b> Annie</font></div><div>Bonjour</div>',
    ],
    [
      'Outlook',
      '<div class=WordSection1><p class=MsoNormal>Merci, ça marche.<o:p></o:p></p><div><div style="border-top:solid 1pt"><p><b>From:</b> Guichet<br><b>Sent:</b> Friday<br></p></div></div><p>Bonjour</p></div>',
    ],
    [
      'Gmail',
      '<div dir="ltr">Merci, ça marche.</div><br><div class="gmail_quote"><div class="gmail_attr">Le&nbsp;ven. 20 nov. 2026 à&nbsp;10:02, Guichet &lt;s@example.com&gt; a écrit&nbsp;:<br></div><blockquote>Bonjour</blockquote></div>',
    ],
  ])('of HTML alone, from %s, is read without its history', async (_name, html) => {
    const head = ['From: z@example.com', 'Subject: Re: x', 'Content-Type: text/html; charset=utf-8', '']
    const found = await readMail(Buffer.from([...head, html].join('\r\n')))
    expect(found.text).toBe('Merci, ça marche.')
    expect(found.quoted).toMatch(/Guichet[^]*Bonjour/)
  })

  test('to ten thousand recipients, or from a sender without end, is read', async () => {
    const to = Array.from({ length: 10_000 }, (_, index) => `Client ${index} <c${index}@example.com>`).join(',\r\n ')
    const many = await readMail(mail('From: z@example.com', `To: ${to}`, 'Subject: Un\r\n deux', '', 'To: a', '', 'b\n\nCc: c'))
    expect(many).toMatchObject({ fromAddress: 'z@example.com', subject: 'Un deux', text: 'To: a\n\nb\n\nCc: c' })
    const endless = await readMail(mail(`From: z@example.com ${'(a'.repeat(100_000)}`, 'Subject: x', '', 'a'))
    expect(endless).toMatchObject({ subject: 'x', text: 'a' })
  })

  test('with a broken MIME tree keeps what can be read', async () => {
    const broken = await readMail(
      mail(
        'From: z@example.com',
        'Subject: x',
        'Content-Type: multipart/mixed; boundary="a"',
        '',
        '--a',
        'Content-Type: multipart/alternative; boundary="b"',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'Visible.',
        '--a',
      ),
    )
    expect(broken.text).toContain('Visible.')
  })

  test('keeps every part as a file: inline pictures, calendars, winmail.dat, forwarded mails', async () => {
    const part = (type: string, name: string, content: string) => [
      '--a',
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(content).toString('base64'),
    ]
    const found = await readMail(
      mail(
        'From: z@example.com',
        'Subject: x',
        'Content-Type: multipart/mixed; boundary="a"',
        '',
        '--a',
        'Content-Type: text/html',
        '',
        '<p>Voir <img src="cid:1"><script>alert(1)</script></p>',
        '--a',
        'Content-Type: image/png; name="i.png"',
        'Content-ID: <1>',
        'Content-Disposition: inline',
        'Content-Transfer-Encoding: base64',
        '',
        'iVBORw0KGgo=',
        ...part('application/ms-tnef', 'winmail.dat', 'tnef'),
        ...part('text/calendar', 'invite.ics', 'BEGIN:VCALENDAR'),
        '--a',
        'Content-Type: message/rfc822',
        '',
        'From: p@example.com',
        'Subject: inner',
        '',
        'Within.',
        '--a--',
        '',
      ),
    )
    expect(found.text).toBe('Voir')
    expect(found.html).not.toContain('script')
    expect(found.files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['i.png', 'winmail.dat', 'invite.ics']) as string[],
    )
    expect(found.files.some(({ type }) => type === 'message/rfc822')).toBe(true)
  })

  test.each([
    ['Auto-Submitted: auto-replied', true],
    ['Auto-Submitted: no', false],
    ['Precedence: bulk', true],
    ['List-Unsubscribe: <mailto:x@example.com>', true],
    ['Return-Path: <>', true],
    ['Return-Path: <z@example.com>', false],
  ])('with %s: sent by a machine is %s', async (header, isAutomatic) => {
    expect((await readMail(mail('From: z@example.com', header, 'Subject: x', '', 'a'))).isAutomatic).toBe(isAutomatic)
  })

  test('is in the language of its words', async () => {
    expect(
      (await readMail(mail('From: z@example.com', 'Subject: Printer', '', 'Hello, the printer is not working, please help.')))
        .language,
    ).toBe('en')
    expect(
      (await readMail(mail('From: z@example.com', 'Subject: Imprimante', '', 'Bonjour, rien ne sort depuis hier.'))).language,
    ).toBe('fr')
  })
})

test('the history of a text of ten megabytes is found without an overflow', () => {
  const quoted = '> a\n'.repeat(2_500_000)
  expect(foldHistory(`Bonjour.\n${quoted}`, 'Plan')).toEqual({ text: 'Bonjour.', quoted: quoted.trim() })
})
