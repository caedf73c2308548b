import { z } from 'zod'
import { isReadable } from '#src/lib/colour.ts'
import { logoAddress } from '#src/lib/image-sizes.ts'
import { email, entryVersion, limits, requiredLine } from '#src/lib/schemas.ts'

/** Of a data URL: 512 KB. */
export const logoMaxLength = 720_000

const name = requiredLine(100)
/** As it is shown, however it was pasted; the number to call is made of its digits. */
const phone = z
  .string()
  .overwrite((value) =>
    value
      .replaceAll(/\s/g, ' ')
      .replaceAll(/[\u2010-\u2015]/g, '-')
      .replaceAll('\u2060', '')
      .trim(),
  )
  .refine((value) => numberOf(value) !== null, 'a phone number of 10 digits, or one that begins with +')

/** `PUT /api/company/settings`: what the administration changes of `company/company.ts`. */
export const companySettingsInput = z.strictObject({
  name,
  legal_name: name,
  toll_free: phone,
  quebec_phone: phone,
  fax: phone,
  support_email: email,
  telecom_email: email,
  hr_email: email,
  opinion_email: email,
  street: name,
  city: name,
  postal_code: requiredLine(12),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  /** Empty: the product's own. */
  colour: z
    .string()
    .regex(/^(#[\da-f]{6})?$/i, 'such as #1746a2')
    .refine((value) => !/^#[\da-f]{6}$/i.test(value) || isReadable(value), 'too light to be read'),
  /** Address of the stored logo; empty: the product's own sign. */
  logo: z.union([z.literal(''), z.string().regex(logoAddress)]).default(''),
  /** A new one, PNG or SVG, as a data URL. */
  new_logo: z.string().max(logoMaxLength).optional(),
  version: z.int().min(0),
})
export type CompanySettingsInput = z.infer<typeof companySettingsInput>

/** `is_default`: nothing was changed here, `company/company.ts` holds. */
export const companySettings = companySettingsInput
  .omit({ new_logo: true })
  .extend({ colour: z.string(), logo: z.string(), is_default: z.boolean() })
export type CompanySettings = z.infer<typeof companySettings>

/** E.164, of a number of North America or one with its country; null for anything else. */
export function numberOf(display: string) {
  if (!/^[\d ()+-]{7,20}$/.test(display)) return null
  const digits = display.replaceAll(/\D/g, '')
  const number = display.trim().startsWith('+') ? digits : digits.length === 10 ? `1${digits}` : digits
  return /^1\d{10}$/.test(number) || (display.trim().startsWith('+') && /^[1-9]\d{6,14}$/.test(number)) ? `+${number}` : null
}

/** How many entries of the sample content are still as they came. */
export const sampleCount = z.object({ count: z.number().int() })
export type SampleCount = z.infer<typeof sampleCount>

/** `kept`: names of entries that the company edited or put to use. */
export const sampleEmptied = z.object({ removed: z.number().int(), kept: z.array(z.string()) })
export type SampleEmptied = z.infer<typeof sampleEmptied>

const officerFields = {
  name: requiredLine(limits.name),
  title: requiredLine(limits.name),
  title_en: requiredLine(limits.name),
  email: requiredLine(limits.email).pipe(email),
}
/** `PUT /api/privacy/officer`: who is in charge of the protection of personal information. */
export const officerInput = z.strictObject({ ...officerFields, version: entryVersion })
export type OfficerInput = z.infer<typeof officerInput>
export const officer = z.object({ ...officerFields, version: z.int(), is_default: z.boolean() })
export type Officer = z.infer<typeof officer>
