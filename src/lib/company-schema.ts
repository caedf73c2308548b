import { z } from 'zod'
import { isReadable } from './colour.ts'
import type { Language } from './language/language.ts'
import { logoAddress } from './image-sizes.ts'
import { email } from './schemas.ts'

/** Facts about the company (`company/company.ts`), validated when the server starts. */
const bilingual = z.strictObject({ fr: z.string().min(1), en: z.string().min(1) })
const link = z.url({ protocol: /^https?$/ })
const phone = z.strictObject({
  /** The number as it is displayed. */
  display: z.string().regex(/^[\d ()+-]{7,20}$/),
  /** E.164, for `tel:` links. */
  e164: z.string().regex(/^\+[1-9]\d{6,14}$/),
})
const person = z.strictObject({ name: z.string().min(1), title: bilingual, email })
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const date = z.iso.date()

export const companySchema = z.strictObject({
  name: z.string().min(1),
  legalName: z.string().min(1),
  foundedYear: z.int().min(1900),
  phones: z.strictObject({ tollFree: phone, quebec: phone, fax: phone }),
  emails: z.strictObject({ support: email, telecom: email, hr: email, opinion: email }),
  address: z.strictObject({
    street: z.string(),
    city: z.string(),
    region: z.string(),
    postalCode: z.string(),
    country: z.string().length(2),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
  links: z.strictObject({
    clientArea: link,
    telecomSite: z.strictObject({ name: z.string(), url: link }),
    socials: z.array(z.strictObject({ network: z.enum(['facebook', 'linkedin', 'youtube', 'instagram']), url: link })),
  }),
  people: z.strictObject({
    privacyOfficer: person,
    securityContact: person,
    recruiter: person,
    /** Shown apart below the team list; found among the employees by this address. */
    featuredEmployeeEmail: email,
  }),
  hours: z.strictObject({
    timeZone: z.string(),
    /** ISO weekdays, 1 is Monday. */
    days: z.array(z.int().min(1).max(7)).min(1),
    opens: clock,
    closes: clock,
  }),
  /** The first notice on the home page. */
  news: z.strictObject({ title: bilingual, text: bilingual }),
  satisfiedClients: z.int().positive(),
  /** Main colour of links and buttons, dark enough for white text; the product's blue without it. */
  colour: z
    .string()
    .regex(/^#[\da-f]{6}$/)
    .refine(isReadable, 'too light to be read')
    .optional(),
  /** Uploaded in the administration; the product's own sign without it. */
  logo: z.string().regex(logoAddress).optional(),
  /** Retention periods of a new installation; the administration changes them. */
  retention: z.strictObject({
    chatMonths: z.int().positive(),
    requestMonths: z.int().positive(),
    applicationMonths: z.int().positive(),
    recordingMonths: z.int().positive(),
    /** Sent mails; a mail about a request is deleted with the request. */
    mailMonths: z.int().positive(),
    /** A mail that cannot be sent waits for so long; 30 days by default. */
    waitingMailDays: z.int().positive().max(365).optional(),
  }),
  /** The periods of notices in words, from the table of periods: no file has them. */
  periods: z.strictObject({ requests: bilingual, mails: bilingual, applications: bilingual }).optional(),
})

/** What the office wrote for search results and shared links, by the page's path; of pages that are not open, the titles alone. */
export type PageDescriptions = Record<
  string,
  { title: Record<Language, string>; description?: Record<Language, string>; picture?: string }
>

export type Company = z.infer<typeof companySchema> & { pages?: PageDescriptions }

const text = z.string().min(1)

/** Texts of the home page in `company/home.ts`: slogan, claims, and descriptions of its drawings. */
const home = z.strictObject({
  metaTitle: text,
  metaDescription: text,
  title: text,
  openThen: text,
  laterThen: text,
  lead: text,
  scene: text,
  servicesTitle: text,
  cloudText: text,
  serviceText: text,
  programmingText: text,
  equipmentText: text,
  clientsTitle: text,
  clientsText: text,
  vanScene: text,
  panelsTitle: text,
  /** A customer’s words, and whose they are; nothing is shown without them. */
  quote: text.optional(),
  quoteBy: text.optional(),
})
export const companyHomeSchema = z.strictObject({ fr: home, en: home })
export type CompanyHome = z.infer<typeof companyHomeSchema>

/** Texts of every page in `company/site.ts`. */
const site = z.strictObject({ footerPitch: text, notFoundScene: text })
export const companySiteSchema = z.strictObject({ fr: site, en: site })
export type CompanySite = z.infer<typeof companySiteSchema>

/** Texts for other sites and home screens in `company/sharing.ts`. */
const sharing = z.strictObject({ description: text, pictureAlt: text, slogan: z.array(text).length(3), foot: text })
export const companySharingSchema = z.strictObject({ fr: sharing, en: sharing })
export type CompanySharing = z.infer<typeof companySharingSchema>

/** Schema of `company/holidays.ts`. */
export const companyHolidaysSchema = z.array(z.strictObject({ date, name: bilingual }))
export type CompanyHolidays = z.infer<typeof companyHolidaysSchema>

// Tutorials, downloads, scenes and map of a company (`company/media.ts`).
const secureLink = z.url({ protocol: /^https$/ })
/** A plain file name, so that no address built from it can leave its folder. */
const fileName = (endings: string) => z.string().regex(new RegExp(`^[A-Za-z\\d][\\w.-]{0,120}\\.(${endings})$`))

export const tutorialNames = [
  'phone_tutorial',
  'portal_personnal_tutorial',
  'soft_phone_tutorial',
  'soft_phone_cell_tutorial',
] as const

const poster = fileName('avif|webp|jpg|jpeg|png|svg').optional()
const video = z.discriminatedUnion('kind', [
  /** A file of `DATA_DIR/videos`, with its captions and its still picture beside it. */
  z.strictObject({ kind: z.literal('file'), file: fileName('mp4|webm'), captions: fileName('vtt'), poster }),
  /** An external player; nothing is requested from it before the visitor presses play. */
  z.strictObject({ kind: z.literal('embed'), url: secureLink, poster }),
])

const tutorial = z.strictObject({ name: z.enum(tutorialNames), title: bilingual, video })

const downloadFields = {
  id: z.string().regex(/^[a-z\d-]{1,60}$/),
  use: z.enum(['remote_assistance', 'softphone']),
  platform: z.enum(['windows', 'mac']),
  label: bilingual,
}
/** `file` is in `DATA_DIR/downloads`; `url` leads to the publisher's own site. */
const download = z.union([
  z.strictObject({ ...downloadFields, file: fileName('exe|msi|msix|zip|dmg|pkg') }),
  z.strictObject({ ...downloadFields, url: secureLink }),
])

const scene = z.strictObject({
  /** A file of `company/photos`, or else one of the product's own illustrations. */
  picture: fileName('avif|webp|jpg|jpeg|png|svg'),
  caption: bilingual,
  /** Alternative text. */
  description: bilingual,
})

export const companyMediaSchema = z.strictObject({
  tutorials: z
    .array(tutorial)
    .refine(
      (list) => tutorialNames.every((name) => list.filter((one) => one.name === name).length === 1),
      'each of the four tutorials once',
    ),
  downloads: z.array(download).refine((list) => new Set(list.map((one) => one.id)).size === list.length, 'each id once'),
  wayOfLife: z.array(scene).length(10),
  map: z.strictObject({
    /** `{latitude}` and `{longitude}` are replaced by those of the address. */
    directionsUrl: z.string().regex(/^https:\/\/.+\{latitude\}.+\{longitude\}/),
    /** Attribution that the tile provider requires. */
    attribution: z.string(),
    zoom: z.int().min(3).max(19),
  }),
})

export type CompanyMedia = z.infer<typeof companyMediaSchema>
export type Tutorial = CompanyMedia['tutorials'][number]
export type Download = CompanyMedia['downloads'][number]
