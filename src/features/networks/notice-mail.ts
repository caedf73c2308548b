import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import { layOutMail, mailButton, mailFoot, mailHtmlOf, mailParagraph, mailTextOf } from '#src/lib/text/mail-html.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { describeInstant } from '#src/features/updates/web/update-time.ts'
import type { Incident, Network } from './contract.ts'
import { formatMinutes } from './ribbon-html.ts'
import { nameTouched } from './status-html.ts'
import { noticeTexts } from './subscription-texts.ts'

/** A mail before it has its recipient: the same text in the preview and in the mail. */
export type NoticeMail = { subject: string; body: string; html: string }
/** `leave`: the page of the subscription; null for a mail that is no notice yet. */
export type NoticeLinks = { page: string; leave: string | null }
type Incidental = Pick<Incident, 'title' | 'title_en' | 'severity' | 'started_at' | 'elements' | 'meanwhile' | 'meanwhile_en'>
type Step = { phase: Incident['phase']; text: string; text_en: string; at: string; next: string | null }

const { timeZone } = company.hours
/** In one piece at the end of a line. */
const phoneOf = () => company.phones.tollFree.display.replaceAll(' ', '\u00a0')

/** A mail is in one language: what is missing in it is left out. */
const inLanguage = (language: Language, french: string, english: string) => (language === 'fr' ? french : english).trim()

/** One step of an outage: what is wrong, what to do meanwhile, when the next mail comes. */
export function composeOutageMail(
  incident: Incidental,
  step: Step,
  networks: readonly Network[],
  language: Language,
  links: NoticeLinks,
): NoticeMail {
  const t = translator(noticeTexts, language)
  const names = nameTouched(incident, networks, language)
  const title = pickText(language, incident.title, incident.title_en)
  const what = names.length > 2 ? title : names.join(', ')
  const isResolved = step.phase === 'resolved'
  const state =
    step.phase === 'identified' || step.phase === 'monitoring'
      ? t(step.phase)
      : t(incident.severity === 'ERROR' ? 'down' : 'degraded')
  const meanwhile = inLanguage(language, incident.meanwhile, incident.meanwhile_en)
  const minutes = Math.max(0, Math.round((Date.parse(step.at) - Date.parse(incident.started_at)) / 60_000))
  const paragraphs = [
    title,
    pickText(language, step.text, step.text_en),
    ...(isResolved ? [] : [meanwhile ? t('meanwhile', { text: meanwhile }) : t('noAction')]),
    ...(names.length > 2 ? [t('touched', { names: names.join(', ') })] : []),
    ...(isResolved ? [t('lasted', { time: formatMinutes(minutes) }), t('resolvedAdvice', { phone: phoneOf() })] : []),
    ...(!isResolved && step.next ? [t('next', { time: formatDateTime(step.next, language, { timeZone }) })] : []),
  ]
  return writeNotice(language, {
    subject: isResolved ? t('resolved', { what }) : t('outage', { what, state }),
    paragraphs,
    link: { label: t(isResolved ? 'seeOutage' : 'followOutage'), address: links.page },
    leave: links.leave,
  })
}

type MaintenanceWindow = {
  startsAt: Date
  endsAt: Date
  message: string
  messageEn: string
  elements: Incident['elements']
}
export type MaintenanceNews = 'reminder' | 'moved' | 'cancelled'

/** A reminder of planned maintenance, or what became of one that was announced. */
export function composeMaintenanceMail(
  window: MaintenanceWindow,
  news: MaintenanceNews,
  networks: readonly Network[],
  language: Language,
  links: NoticeLinks & { calendar: string },
): NoticeMail {
  const t = translator(noticeTexts, language)
  const when = describeWindow(window, language)
  const names = nameTouched(window, networks, language)
  const message = inLanguage(language, window.message, window.messageEn) || t('standard')
  const subject = { reminder: 'maintenanceSubject', moved: 'movedSubject', cancelled: 'cancelledSubject' } as const
  const paragraphs =
    news === 'cancelled'
      ? [t('cancelled', { when })]
      : [
          t('whenLine', { when }),
          message,
          ...(names.length > 0 ? [t('concerned', { names: names.join(', ') })] : []),
          t('saveWork'),
          t('calendar', { address: links.calendar }),
        ]
  return writeNotice(language, {
    subject: t(subject[news], { when }),
    paragraphs,
    link: { label: t('openStatus'), address: links.page },
    leave: links.leave,
  })
}

function describeWindow({ startsAt, endsAt }: Pick<MaintenanceWindow, 'startsAt' | 'endsAt'>, language: Language) {
  const t = translator(noticeTexts, language)
  const [start, end] = [describeInstant(startsAt, language), describeInstant(endsAt, language)]
  const values = { day: start.day, from: start.time, lastDay: end.day, until: end.time }
  return t(start.day === end.day ? 'sameDay' : 'twoDays', values)
}

/** The mail that asks for the confirmation, or reminds of a subscription that there is. */
export function composeLinkMail(
  kind: 'confirm' | 'known',
  { language, topics }: { language: Language; topics: readonly string[] },
  page: string,
): NoticeMail {
  const t = translator(noticeTexts, language)
  const values = { company: company.legalName }
  const asked = t(topics.includes('news') ? 'confirmNews' : 'confirmText', values)
  return writeNotice(language, {
    subject: t(`${kind}Subject`),
    paragraphs: kind === 'confirm' ? [asked, t('confirmIgnore')] : [t('knownText', values)],
    link: { label: t(`${kind}Link`), address: page },
    leave: null,
  })
}

type Announced = { subject: string; subject_en: string; text: string; text_en: string }

/** News of the company, of rich text that the server cleaned; `origin` is that of the links that name a page of the site. */
export function composeNewsMail(
  { subject, subject_en, text, text_en }: Announced,
  language: Language,
  { origin, leave }: { origin: string; leave: string },
): NoticeMail {
  const t = translator(noticeTexts, language)
  const [title, html] = language === 'fr' ? [subject, text] : [subject_en, text_en]
  const body = mailTextOf(html, origin)
  const why = t('footNews')
  return {
    subject: title,
    body: `${[title, body, `${t('leave')}\n${leave}`, `--\n${why}\n${senderOf()}`].join('\n\n')}\n`,
    html: layOutMail(language, title, [
      mailParagraph(title, ';font-size:20px;font-weight:bold'),
      mailHtmlOf(html, origin),
      mailFoot(`<a href="${escapeXml(leave)}">${escapeXml(t('leave'))}</a><br>${escapeXml(why)}<br>${escapeXml(senderOf())}`),
    ]),
  }
}

/** Who sends a mail and from where, as CASL asks. */
function senderOf() {
  const { street, city, region, postalCode } = company.address
  return `${company.legalName}, ${street}, ${city} (${region}) ${postalCode}, ${phoneOf()}`
}

type Notice = { subject: string; paragraphs: string[]; link: { label: string; address: string }; leave: string | null }

/** Text and HTML that read well from 320 pixels on. */
function writeNotice(language: Language, { subject, paragraphs, link, leave }: Notice): NoticeMail {
  const t = translator(noticeTexts, language)
  const sender = senderOf()
  const why = t(leave === null ? 'footOnce' : 'foot')
  const [first = '', ...rest] = paragraphs
  const text = [
    ...paragraphs,
    `${link.label}\n${link.address}`,
    ...(leave === null ? [] : [`${t('leave')}\n${leave}`]),
    `--\n${why}\n${sender}`,
  ].join('\n\n')
  const leaveLink = leave === null ? '' : `<a href="${escapeXml(leave)}">${escapeXml(t('leave'))}</a><br>`
  const html = layOutMail(language, subject, [
    mailParagraph(first, rest.length > 0 && leave !== null ? ';font-size:20px;font-weight:bold' : ''),
    ...rest.map((one) => mailParagraph(one)),
    mailButton(link),
    mailFoot(`${leaveLink}${escapeXml(why)}<br>${escapeXml(sender)}`),
  ])
  return { subject, body: `${text}\n`, html }
}
