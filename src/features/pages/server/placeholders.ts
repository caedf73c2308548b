import type { Company } from '#src/lib/company-schema.ts'
import { describeHours } from '#src/lib/time/describe-hours.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { regionName } from '#src/lib/regions.ts'
import { unbroken } from '#src/lib/text/unbroken.ts'

/** Values of `{company}`, `{phone}` and the other placeholders, as plain text. */
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
    address: `${address.street}, ${address.city} (${regionName(address.region, language)}) ${address.postalCode}`,
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
  const call = (phone: Company['phones']['fax']) => `[${unbroken(phone.display)}](tel:${phone.e164})`
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

/**
 * Replaces every `{name}`; an unknown one is a mistake of the author's, and stops the start.
 * A value that ends with a full stop, such as a legal name in “inc.”, ends the sentence too.
 */
export function fillPlaceholders(text: string, values: Record<string, string>) {
  return text.replaceAll(/\{(\w+)\}(\.?)/g, (whole, name: string, stop: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`unknown placeholder ${whole}`)
    return value.endsWith('.') ? value : value + stop
  })
}
