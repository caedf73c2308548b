import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Period } from '#src/lib/retention.ts'
import { labelOfPeriod, shownPeriods } from '#src/server/retention/periods.ts'
import { shownCompanyFolder } from '#src/server/company-folder.ts'
import { languages, locales } from '#src/lib/language/language.ts'
import { setTypography } from '#src/lib/language/texts.ts'
import type { TextName } from '../contract.ts'
import { pageTextNames, tutorialTextNames } from '../contract.ts'
import { logger } from '#src/server/log.ts'
import type { Rendered, TextSource } from './markdown.ts'
import { checkText, parseText, renderText } from './markdown.ts'
import type { Company } from '#src/lib/company-schema.ts'
import { describeWeek } from '#src/lib/time/business-hours.ts'
import type { OpenDay } from '#src/lib/time/business-hours.ts'
import { regionName } from '#src/lib/regions.ts'
import { unbroken } from '#src/lib/text/numbers.ts'

/** `language` is that of the text: a tutorial is French in both languages. */
export type PageText = Rendered & { name: TextName; language: Language }
type PageTexts = { find: (name: TextName, language: Language) => PageText }

const defaultFolder = join(shownCompanyFolder(), 'texts')

export type TextKey = `${Language}/${TextName}`
/** What the administration stored over the files. */
export type StoredTexts = ReadonlyMap<TextKey, TextSource>

/** Every text with its languages: a tutorial is in French only. */
const wanted = [
  ...languages.flatMap((language) => pageTextNames.map((name) => ({ name, language }))),
  ...tutorialTextNames.map((name) => ({ name, language: 'fr' as const })),
]

/**
 * Reads and checks every long text, and renders each once, when it is first shown: all of them take 0.1 s of a start. Throws one
 * error that names all missing or invalid files. A stored text that is invalid by now gives way to its file.
 */
export function readTexts(folder = defaultFolder, stored: StoredTexts = new Map()): PageTexts {
  const texts = new Map<string, () => PageText>()
  const placeholders = { fr: placeholdersIn('fr'), en: placeholdersIn('en') }
  const problems: string[] = []
  for (const { name, language } of wanted) {
    const key: TextKey = `${language}/${name}`
    try {
      const supplied = prepare(readSource(folder, name, language), name, language, placeholders[language])
      texts.set(key, prepareStored(stored.get(key), name, language, placeholders[language]) ?? supplied)
    } catch (error) {
      problems.push(`${key}.md: ${(error as Error).message}`)
    }
  }
  if (problems.length > 0) throw new Error(`Texts of ${folder}:\n${problems.join('\n')}`)
  return {
    find(name, language) {
      const text = texts.get(`${language}/${name}`) ?? texts.get(`fr/${name}`)
      if (!text) throw new Error(`No such text: ${name}`)
      return text()
    },
  }
}

/** In development the files are read on each request, so that an author sees changes. */
export function openTexts(development: boolean, stored: StoredTexts): PageTexts {
  const texts = readTexts(defaultFolder, stored)
  return development ? { find: (name, language) => readTexts(defaultFolder, stored).find(name, language) } : texts
}

/** The text of the file; null where a tutorial has no English. */
export function readSupplied(name: TextName, language: Language): TextSource | null {
  return wanted.some((one) => one.name === name && one.language === language) ? readSource(defaultFolder, name, language) : null
}

/** The text as its page shows it; throws an error that says what is wrong in it. */
export const renderSource = (source: TextSource, name: TextName, language: Language) =>
  prepare(source, name, language, placeholdersIn(language))()

function prepareStored(source: TextSource | undefined, name: TextName, language: Language, placeholders: Placeholders) {
  if (!source) return null
  try {
    return prepare(source, name, language, placeholders)
  } catch (error) {
    logger.error({ err: error, name, language }, 'a stored text is invalid; that of company/texts is shown')
    return null
  }
}

/** Stands for `{hours}` in a rendered text: the hours change in the administration, the texts with the next start. */
const hoursMark = '\u{E000}'

/** Stands for `{andBackups}`: what is encrypted beside the exchanges depends on the server's settings. */
const backupsMark = '\u{E002}'
const andBackups = { fr: ' et des copies de sécurité', en: ' and backups' }

/** The text with what applies now. */
export function withCurrentValues(text: PageText, now: { week: readonly OpenDay[]; hasEncryptedBackups: boolean }): PageText {
  const hours = describeWeek(now.week, text.language)
  const backups = now.hasEncryptedBackups ? andBackups[text.language] : ''
  const fill = (value: string) => value.replaceAll(hoursMark, hours).replaceAll(backupsMark, backups)
  const { title, description, lead, html } = text
  if (![title, description, lead, html].some((value) => value.includes(hoursMark) || value.includes(backupsMark))) return text
  return { ...text, title: fill(title), description: fill(description), lead: fill(lead), html: fill(html) }
}

type Placeholders = ReturnType<typeof placeholdersIn>

function placeholdersIn(language: Language) {
  return { head: placeholderValues(company, language), body: placeholderLinks(company, language) }
}

function readSource(folder: string, name: TextName, language: Language) {
  const file = join(folder, language, `${name}.md`)
  if (!existsSync(file)) throw new Error('missing')
  return parseText(readFileSync(file, 'utf8'))
}

/** Stands for what is not prose while the typography of a text is set. */
const notProseMark = '\u{E001}'
/** Code in a block and in a line, and the row below the head of a table. */
const notProse =
  /^```[\s\S]*?(?:^```|$(?![\s\S]))|^~~~[\s\S]*?(?:^~~~|$(?![\s\S]))|`[^`\n]+`|^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$|\uE001/gm

function setProse(text: string, language: Language) {
  const others: string[] = []
  const prose = text.replaceAll(notProse, (found) => {
    others.push(found)
    return notProseMark
  })
  return setTypography(prose, language).replaceAll(notProseMark, () => others.shift() ?? '')
}

/** Throws where the text is invalid; what it returns renders it at the first call. */
function prepare(source: TextSource, name: TextName, language: Language, { head, body }: Placeholders): () => PageText {
  const { title, description, lead } = source
  const filled = {
    title: fillPlaceholders(title, head),
    description: fillPlaceholders(description, head),
    lead: fillPlaceholders(lead, head),
    body: fillPlaceholders(source.body, body),
  }
  checkText(filled)
  const write = (key: keyof typeof filled) => setProse(filled[key], language)
  const renderFilled = () =>
    renderText({ title: write('title'), description: write('description'), lead: write('lead'), body: write('body') })
  let rendered: PageText | undefined
  return () => (rendered ??= { name, language, ...renderFilled() })
}

/** Values of `{company}`, `{phone}` and the other placeholders, as plain text. */
function placeholderValues(company: Company, language: Language) {
  const { phones, emails, address, people } = company
  const { chats, requests, applications, recordings } = shownPeriods()
  return {
    company: company.name,
    legalName: company.legalName,
    foundedYear: String(company.foundedYear),
    clients: new Intl.NumberFormat(locales[language]).format(company.satisfiedClients),
    phone: phones.tollFree.display,
    quebecPhone: phones.quebec.display,
    fax: phones.fax.display,
    supportEmail: emails.support,
    telecomEmail: emails.telecom,
    hrEmail: emails.hr,
    opinionEmail: emails.opinion,
    privacyEmail: people.privacyOfficer.email,
    securityEmail: people.securityContact.email,
    address: `${address.street}, ${address.city} (${regionName(address.region, language)}) ${address.postalCode}`,
    city: address.city,
    telecomSite: company.links.telecomSite.name,
    privacyOfficer: people.privacyOfficer.name,
    privacyTitle: people.privacyOfficer.title[language],
    securityContact: people.securityContact.name,
    recruiter: people.recruiter.name,
    hours: hoursMark,
    andBackups: backupsMark,
    chatPeriod: labelOfPeriod(chats)[language],
    requestPeriod: labelOfPeriod(requests)[language],
    applicationPeriod: labelOfPeriod(applications)[language],
    recordingPeriod: labelOfPeriod(recordings)[language],
    // Of texts that were written before a period had its unit.
    chatMonths: monthsOf(chats),
    requestMonths: monthsOf(requests),
    applicationMonths: monthsOf(applications),
    recordingMonths: monthsOf(recordings),
  }
}

const monthsOf = ({ count, unit }: Period) => String(unit === 'months' ? count : Math.ceil((count * 12) / 365))

/** The placeholders by name, with what they stand for now. */
export function findPlaceholders() {
  const [fr, en] = [placeholderValues(company, 'fr'), placeholderValues(company, 'en')]
  const names = (Object.keys(fr) as (keyof typeof fr)[]).filter((name) => name !== 'hours' && name !== 'andBackups')
  return names.map((name) => ({ name, value: { fr: fr[name], en: en[name] } }))
}

/** Plain text that Markdown leaves as it is: a value is never markup. */
const escapeMarkdown = (value: string) => value.replaceAll(/[&<>*_`~[\]\\|#]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The same for the body of a text, which is Markdown, and where phones, emails and sites are links. */
function placeholderLinks(company: Company, language: Language): Record<string, string> {
  const values = placeholderValues(company, language)
  const escaped = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeMarkdown(value)]))
  const call = (phone: Company['phones']['fax']) => `[${escapeMarkdown(unbroken(phone.display))}](tel:${phone.e164})`
  // In a link, these characters would be typography and the next field (RFC 6068).
  const write = (email: string) =>
    `[${escapeMarkdown(email).replaceAll("'", '&#39;')}](mailto:${email.replaceAll("'", '%27').replaceAll('&', '%26')})`
  return {
    ...escaped,
    phone: call(company.phones.tollFree),
    quebecPhone: call(company.phones.quebec),
    supportEmail: write(values.supportEmail),
    telecomEmail: write(values.telecomEmail),
    hrEmail: write(values.hrEmail),
    opinionEmail: write(values.opinionEmail),
    privacyEmail: write(values.privacyEmail),
    securityEmail: write(values.securityEmail),
    telecomSite: `[${escapeMarkdown(values.telecomSite)}](${company.links.telecomSite.url})`,
  }
}

/**
 * Replaces every `{name}`; an unknown one stops the start. The full stop of a value, such as a legal name in “inc.”, also ends
 * the sentence.
 */
function fillPlaceholders(text: string, values: Record<string, string>) {
  return text.replaceAll(/\{(\w+)\}(\.?)/g, (_whole, name: string, stop: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new Error(`unknown placeholder {${name}}`)
    return value.endsWith('.') ? value : value + stop
  })
}
