import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { company } from '#company/company.ts'
import { keepRefused, RefusedVersion } from '#src/features/content/server/refused-version.ts'
import type { Company } from '#src/lib/company-schema.ts'
import { companySchema } from '#src/lib/company-schema.ts'
import { isSame } from '#src/lib/merge.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { labelOfPeriod, shownPeriods, showPeriods } from '#src/server/retention/periods.ts'
import { Invalid } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { findLogo, storeLogo } from '#src/features/content/server/pictures.ts'
import type { CompanySettings, CompanySettingsInput } from '../contract.ts'
import { companySettingsInput, numberOf } from '../contract.ts'
import type { StoredSettings } from './table.ts'
import { companySettingsTable as table, theRow } from './table.ts'

/** What the administration changes of the company; the rest stays that of `company/company.ts`. */
type Facts = Pick<Company, 'name' | 'legalName' | 'phones' | 'emails' | 'address' | 'colour' | 'logo'>
/** What the notices of pages say: how long, and whom to write to. */
type Notices = Pick<Company, 'periods' | 'people'>

const factsOf = ({ name, legalName, phones, emails, address, colour, logo }: Company): Facts => ({
  name,
  legalName,
  phones,
  emails,
  address,
  colour,
  logo,
})
const defaults = structuredClone(factsOf(company))
const suppliedPeople = structuredClone(company.people)
export const suppliedOfficer = suppliedPeople.privacyOfficer

/** Null while `company/company.ts` holds; the browser gets the same. */
let applied: Facts | null = null
/** False while the privacy officer is the one of `company/company.ts`. */
let hasOfficer = false

export const findFacts = (): (Partial<Facts> & Partial<Notices>) | null => {
  if (!applied && !company.periods && !hasOfficer) return null
  return { ...applied, periods: company.periods, ...(hasOfficer && { people: company.people }) }
}
/** For an open page, which has none of the files: also those that were put back. */
export const findCurrentFacts = (): Facts & Notices => ({
  ...factsOf(company),
  periods: company.periods,
  people: company.people,
})

/** The whole company with these facts, checked like its files. */
const check = (facts: Facts) => companySchema.safeParse({ ...company, ...facts })

/** Every module reads the one object: its facts are replaced in place, and null puts back those of the files. */
function apply(settings: StoredSettings | null) {
  let facts = settings && toFacts(settings)
  const checked = facts && check(facts)
  // An earlier version may have stored what is no longer valid.
  if (checked && !checked.success) {
    logger.error({ err: checked.error }, 'the stored facts of the company are invalid; those of company/ are shown')
    facts = null
  }
  applied = facts
  Object.assign(company, facts ?? defaults)
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Applies what is stored: at the start, and when another instance changed it. Returns whether anything changed. One after the
 * other, so that an older row never replaces a newer one.
 */
export function applyStoredFacts(db: Database) {
  const next = last
    .catch(() => undefined)
    .then(async () => {
      const stateOf = () => JSON.stringify([applied, shownPeriods(), company.people])
      const former = stateOf()
      const row = await readRow(db)
      apply(row?.settings ?? null)
      const person = row?.officer?.person
      hasOfficer = Boolean(person)
      company.people = { ...suppliedPeople, privacyOfficer: person ?? suppliedOfficer }
      const { requests, mails, applications } = await showPeriods(db)
      company.periods = {
        requests: labelOfPeriod(requests),
        mails: labelOfPeriod(mails),
        applications: labelOfPeriod(applications),
      }
      return stateOf() !== former
    })
  last = next
  return next
}

export async function readCompanySettings(db: Database): Promise<CompanySettings> {
  const row = await readRow(db)
  return { logo: '', ...(row?.settings ?? toSettings(defaults)), version: row?.version ?? 0, is_default: !row?.settings }
}

/** Stores the settings, or removes them; throws `Conflict` with the current ones where the version is not the last. */
export async function saveCompanySettings({ db, events }: App, author: Author, input: CompanySettingsInput | null) {
  const chosen = input?.new_logo
  // Drawn before the save: it is too slow for a transaction.
  const logo = chosen ? await storeLogo(db, chosen) : input?.logo
  if (logo && !chosen && !(await findLogo(db, logo)))
    throw new Invalid('This logo is not stored here.', [{ path: 'logo', message: 'not a logo of this product' }])
  const wanted = input && { ...input, logo: logo ?? '' }
  const checked = wanted && check(toFacts(wanted))
  if (checked && !checked.success) throw new Invalid(z.prettifyError(checked.error))
  const save = async (tx: Database) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('company_settings'))`)
    const before = await readCompanySettings(tx)
    const { version: _version, new_logo: _file, ...settings } = wanted ?? { version: 0 }
    if (input && before.version !== input.version) {
      const refused = { ...before, ...settings, is_default: false }
      throw await RefusedVersion.of(tx, author, { area: 'company', entryId: 'settings', before, after: refused })
    }
    // The facts of the files are not stored, so that they go on following the files.
    const isStored = wanted && !isSame(toFacts(wanted), suppliedFacts())
    const row = {
      version: before.version + 1,
      settings: isStored ? (settings as StoredSettings) : null,
      updatedAt: new Date(),
    }
    await tx
      .insert(table)
      .values({ id: theRow, ...row })
      .onConflictDoUpdate({ target: table.id, set: row })
    const saved = await readCompanySettings(tx)
    await recordChange(tx, author, { area: 'company', action: 'update', entryId: 'settings', before, after: saved })
    return saved
  }
  const after = await db.transaction(save).catch(keepRefused(db))
  await applyStoredFacts(db)
  events.changed('company')
  return after
}

/** As a save writes the facts of the files. */
function suppliedFacts() {
  const supplied = { ...toSettings(defaults), version: 0 }
  return toFacts(companySettingsInput.safeParse(supplied).data ?? supplied)
}

async function readRow(db: Database) {
  const [row] = await db.select().from(table).where(eq(table.id, theRow))
  return row
}

function toFacts(settings: StoredSettings): Facts {
  const phone = (display: string) => ({ display: display.trim(), e164: numberOf(display) ?? '' })
  const { colour } = settings
  return {
    name: settings.name.trim(),
    legalName: settings.legal_name.trim(),
    phones: { tollFree: phone(settings.toll_free), quebec: phone(settings.quebec_phone), fax: phone(settings.fax) },
    emails: {
      support: settings.support_email,
      telecom: settings.telecom_email,
      hr: settings.hr_email,
      opinion: settings.opinion_email,
    },
    address: {
      ...defaults.address,
      street: settings.street.trim(),
      city: settings.city.trim(),
      postalCode: settings.postal_code.trim(),
      latitude: settings.latitude,
      longitude: settings.longitude,
    },
    colour: colour ? colour.toLowerCase() : undefined,
    // A row of an earlier version has none.
    logo: settings.logo || undefined,
  }
}

function toSettings({ name, legalName, phones, emails, address, colour = '', logo = '' }: Facts): StoredSettings {
  return {
    name,
    legal_name: legalName,
    toll_free: phones.tollFree.display,
    quebec_phone: phones.quebec.display,
    fax: phones.fax.display,
    support_email: emails.support,
    telecom_email: emails.telecom,
    hr_email: emails.hr,
    opinion_email: emails.opinion,
    street: address.street,
    city: address.city,
    postal_code: address.postalCode,
    latitude: address.latitude,
    longitude: address.longitude,
    colour,
    logo,
  }
}
