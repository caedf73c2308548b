import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages, locales } from '#src/lib/language/language.ts'
import { setTypography } from '#src/lib/language/texts.ts'
import type { TextName } from '../contract.ts'
import { pageTextNames, tutorialTextNames } from '../contract.ts'
import type { Rendered } from './markdown.ts'
import { renderText } from './markdown.ts'
import type { Company } from '#src/lib/company-schema.ts'
import { describeWeek } from '#src/lib/time/business-hours.ts'
import type { OpenDay } from '#src/lib/time/business-hours.ts'
import { regionName } from '#src/lib/regions.ts'
import { unbroken } from '#src/lib/text/numbers.ts'

/** `language` is that of the text: a tutorial is French in both languages. */
export type PageText = Rendered & { name: TextName; language: Language }
type PageTexts = { find: (name: TextName, language: Language) => PageText }

const defaultFolder = join(process.cwd(), 'company/texts')

/** Reads and renders every long text once; throws one error that names all missing or invalid texts. */
export function readTexts(folder = defaultFolder): PageTexts {
  const texts = new Map<string, PageText>()
  const placeholders = { fr: placeholdersIn('fr'), en: placeholdersIn('en') }
  const problems: string[] = []
  const wanted = [
    ...languages.flatMap((language) => pageTextNames.map((name) => ({ name, language }))),
    ...tutorialTextNames.map((name) => ({ name, language: 'fr' as const })),
  ]
  for (const { name, language } of wanted) {
    try {
      texts.set(`${language}/${name}`, readText(folder, name, language, placeholders[language]))
    } catch (error) {
      problems.push(`${language}/${name}.md: ${(error as Error).message}`)
    }
  }
  if (problems.length > 0) throw new Error(`Texts of ${folder}:\n${problems.join('\n')}`)
  return {
    find(name, language) {
      const text = texts.get(`${language}/${name}`) ?? texts.get(`fr/${name}`)
      if (!text) throw new Error(`No such text: ${name}`)
      return text
    },
  }
}

/** In development the files are read on each request, so that an author sees changes. */
export function openTexts(development: boolean): PageTexts {
  const texts = readTexts()
  return development ? { find: (name, language) => readTexts().find(name, language) } : texts
}

/** Stands for `{hours}` in a rendered text: the hours change in the administration, the texts with the next start. */
const hoursMark = '\u{E000}'

/** The text with the hours that apply now. */
export function withHours(text: PageText, week: readonly OpenDay[]): PageText {
  const hours = describeWeek(week, text.language)
  const fill = (value: string) => value.replaceAll(hoursMark, hours)
  const { title, description, lead, html } = text
  if (![title, description, lead, html].some((value) => value.includes(hoursMark))) return text
  return { ...text, title: fill(title), description: fill(description), lead: fill(lead), html: fill(html) }
}

type Placeholders = ReturnType<typeof placeholdersIn>

function placeholdersIn(language: Language) {
  return { head: placeholderValues(company, language), body: placeholderLinks(company, language) }
}

function readText(folder: string, name: TextName, language: Language, placeholders: Placeholders): PageText {
  const file = join(folder, language, `${name}.md`)
  if (!existsSync(file)) throw new Error('missing')
  const source = readFileSync(file, 'utf8')
  const end = source.indexOf('\n---\n')
  const head = fillPlaceholders(source.slice(0, end), placeholders.head)
  const body = fillPlaceholders(source.slice(end), placeholders.body)
  return { name, language, ...renderText(setTypography(head + body, language)) }
}

/** Values of `{company}`, `{phone}` and the other placeholders, as plain text. */
function placeholderValues(company: Company, language: Language) {
  const { phones, emails, address, people, retention } = company
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
    chatMonths: String(retention.chatMonths),
    requestMonths: String(retention.requestMonths),
    applicationMonths: String(retention.applicationMonths),
    recordingMonths: String(retention.recordingMonths),
  }
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
  return text.replaceAll(/\{(\w+)\}(\.?)/g, (whole, name: string, stop: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`unknown placeholder ${whole}`)
    return value.endsWith('.') ? value : value + stop
  })
}
