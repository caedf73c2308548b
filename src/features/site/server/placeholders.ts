import type { Company } from '#src/lib/company-schema.ts'
import type { Language } from '#src/lib/language.ts'
import { locales } from '#src/lib/language.ts'

/** What `{company}`, `{phone}` and the like stand for, as plain words. */
export function placeholderValues(company: Company, language: Language) {
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
    address: `${address.street}, ${address.city} (${language === 'fr' ? 'Québec' : 'Quebec'}) ${address.postalCode}`,
    city: address.city,
    telecomSite: company.links.telecomSite.name,
    privacyOfficer: people.privacyOfficer.name,
    privacyTitle: people.privacyOfficer.title[language],
    securityContact: people.securityContact.name,
    recruiter: people.recruiter.name,
    hours: describeHours(company.hours, language),
    chatMonths: String(retention.chatMonths),
    requestMonths: String(retention.requestMonths),
    applicationMonths: String(retention.applicationMonths),
    recordingMonths: String(retention.recordingMonths),
  }
}

/** The same for the body of a text, where telephones, e-mails and sites are links. */
export function placeholderLinks(company: Company, language: Language): Record<string, string> {
  const values = placeholderValues(company, language)
  const call = (phone: Company['phones']['fax']) => `[${phone.display.replaceAll(' ', '\u00a0')}](tel:${phone.e164})`
  const write = (email: string) => `[${email}](mailto:${email})`
  return {
    ...values,
    phone: call(company.phones.tollFree),
    quebecPhone: call(company.phones.quebec),
    supportEmail: write(values.supportEmail),
    telecomEmail: write(values.telecomEmail),
    hrEmail: write(values.hrEmail),
    opinionEmail: write(values.opinionEmail),
    privacyEmail: write(values.privacyEmail),
    securityEmail: write(values.securityEmail),
    telecomSite: `[${values.telecomSite}](${company.links.telecomSite.url})`,
  }
}

/** Replaces every `{name}`; an unknown one is a mistake of the author's, and stops the start. */
export function fillPlaceholders(text: string, values: Record<string, string>) {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`unknown placeholder ${whole}`)
    return value
  })
}

function describeHours({ days, opens, closes }: Company['hours'], language: Language) {
  const names = days.map((day) => dayName(day, language))
  const follow = days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1)
  const [first = '', last = ''] = [names[0], names.at(-1)]
  if (language === 'fr') {
    const when = follow && days.length > 2 ? `du ${first} au ${last}` : new Intl.ListFormat('fr-CA').format(names)
    return `${when}, de ${clock(opens, language)} à ${clock(closes, language)}`
  }
  const when = follow && days.length > 2 ? `${first} to ${last}` : new Intl.ListFormat('en-CA').format(names)
  return `${when}, ${clock(opens, language)} to ${clock(closes, language)}`
}

function dayName(isoDay: number, language: Language) {
  // 1 January 2024 was a Monday.
  return new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, isoDay)))
}

function clock(time: string, language: Language) {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const minutes = String(minute).padStart(2, '0')
  if (language === 'fr') return `${hour}\u00a0h${minute === 0 ? '' : `\u00a0${minutes}`}`
  return `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? '' : `:${minutes}`}\u00a0${hour < 12 ? 'a.m.' : 'p.m.'}`
}
