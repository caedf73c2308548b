import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import { passwordMaxLength, passwordRules } from '#src/lib/passwords.ts'
import { levels } from '#src/lib/rights.ts'
import { entryVersion, id, limits, requiredText, email, text } from '#src/lib/schemas.ts'
import { passwordRuleMessage, passwordsDifferMessage } from './values.ts'

const rightsSchema = z.record(z.string(), z.enum(levels))

const groupFields = z.strictObject({
  name: requiredText(limits.name),
  enabled: z.boolean().default(true),
  requires_totp: z.boolean().default(false),
  /** Levels by area; a missing area means `none`. */
  rights: rightsSchema,
})

export const groupInput = groupFields.extend({ version: entryVersion })
export type GroupInput = z.infer<typeof groupInput>

export const group = groupFields.extend({ id_group: id, rights: rightsSchema, user_count: z.int(), version: z.int() })
export type Group = z.infer<typeof group>

/** Counted in characters, not UTF-16 units. */
export const password = text(passwordMaxLength * 2).refine((value) => Array.from(value).length <= passwordMaxLength, 'too long')

const newPassword = password.refine((value) => passwordRules.every((rule) => rule.isMet(value)), passwordRuleMessage)
const username = z.string().regex(/^[\w.@-]{1,80}$/, 'letters, digits, dot and dash only')
const color = z.string().regex(/^#[\da-fA-F]{6}$/, 'such as #1746a2')

type Pair = { new_password: string; confirmation: string }
const isConfirmed = (input: Pair) => input.new_password === input.confirmation
const notMatching = { path: ['confirmation'], message: passwordsDifferMessage }

export const newPasswordInput = z
  .strictObject({ new_password: newPassword, confirmation: password })
  .refine(isConfirmed, notMatching)
export const ownPasswordInput = z
  .strictObject({ old_password: password.min(1, 'required'), new_password: newPassword, confirmation: password })
  .refine(isConfirmed, notMatching)
export const linkPasswordInput = z
  .strictObject({ token: text(100).min(1), new_password: newPassword, confirmation: password })
  .refine(isConfirmed, notMatching)

/** Those that the person serves visitors in; undefined leaves them unchanged. */
const spokenLanguages = z
  .array(z.enum(languages))
  .min(1, 'required')
  .max(languages.length)
  .transform((given) => languages.filter((one) => given.includes(one)))

const names = {
  first_name: text(limits.name).default(''),
  last_name: text(limits.name).default(''),
  display_name: requiredText(limits.name),
  email,
}

export const userInput = z.strictObject({
  username,
  ...names,
  id_group: id,
  color: color.optional(),
  languages: spokenLanguages.optional(),
  /**
   * The team record whose name, title and photo visitors see; null means the one with the same email. Undefined leaves it
   * unchanged.
   */
  id_employe: id.nullable().optional(),
  version: entryVersion,
})
export type UserInput = z.infer<typeof userInput>

export const profileInput = z.strictObject({
  ...names,
  color: color.optional(),
  languages: spokenLanguages.optional(),
  new_photo_path: text(1_000).optional(),
  new_photo: z.string().max(11_500_000).optional(),
  remove_photo: z.boolean().optional(),
  /** Optional with a new email: replaces a recent sign-in. */
  password: password.optional(),
})
export type ProfileInput = z.infer<typeof profileInput>

export const user = z.object({
  id_user: id,
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  display_name: z.string(),
  email: z.string(),
  color: z.string(),
  languages: z.array(z.enum(languages)),
  image_url: z.string().nullable(),
  id_employe: id.nullable(),
  id_group: id,
  group: z.string(),
  locked: z.boolean(),
  /** Invited and without a password yet. */
  invited: z.boolean(),
  totp_enabled: z.boolean(),
  totp_chances: z.int(),
  created_date: z.string(),
  updated_date: z.string(),
  last_login: z.string().nullable(),
  version: z.int(),
})
export type User = z.infer<typeof user>

/** Outcome of an invitation; the link is returned only when no mail server is configured and the user has no password yet. */
export const invitation = z.object({ mailed: z.boolean(), link: z.string().nullable() })
export type Invitation = z.infer<typeof invitation>

/** A new user and the outcome of their invitation. */
export const invitedUser = user.extend({ invitation })
export type InvitedUser = z.infer<typeof invitedUser>

/** A group as offered in the form of a user. */
export const groupChoice = z.object({ id_group: id, name: z.string(), enabled: z.boolean(), may_give: z.boolean() })
export type GroupChoice = z.infer<typeof groupChoice>

/** Work of a user that outlives the account: names for those who may read them, at most ten of each kind. */
const heldKind = z.object({
  kind: z.string(),
  count: z.int(),
  label: z.object({ fr: z.string(), en: z.string() }),
  fate: z.object({ fr: z.string(), en: z.string() }),
  can_be_given: z.boolean(),
  /** The site shows it, and the caller may take it off. */
  can_be_hidden: z.boolean(),
  rows: z.array(z.object({ label: z.string(), path: z.string() })),
})
export const heldWork = z.object({
  held: z.array(heldKind),
  colleagues: z.array(z.object({ id_user: id, display_name: z.string() })),
})
export type HeldWork = z.infer<typeof heldWork>
/** To a colleague, or to nobody; without it, unfinished requests stay with a locked user. */
export const leavingQuery = z.strictObject({
  give_to: z
    .union([
      z.literal('none').transform(() => null),
      z
        .string()
        .regex(/^[1-9]\d{0,8}$/)
        .transform(Number),
    ])
    .optional(),
  /** What the site shows of them becomes a draft. */
  hide: z.literal('1').optional(),
})
export type LeavingQuery = z.infer<typeof leavingQuery>

export const loginInput = z.strictObject({
  username: text(80).min(1, 'required'),
  password: password.min(1, 'required'),
})

/** The signed-in user, as returned by `GET /api/auth/me` and stored in session storage under `user_profile`. */
export const profile = z.object({
  id_user: id,
  first_name: z.string(),
  last_name: z.string(),
  display_name: z.string(),
  email: z.string(),
  username: z.string(),
  image_url: z.string().nullable(),
  group: z.string(),
  rights: rightsSchema,
  color: z.string(),
  languages: z.array(z.enum(languages)),
  totp_enabled: z.boolean(),
  /** The group requires 2FA: only the profile is accessible until it is set up. */
  totp_required: z.boolean(),
  /** Somebody else chose the password: the landing screen asks for a change until there is one. */
  password_set_by_admin: z.boolean(),
})
/** Fields that other features add to the profile, by declaration merging; their server declarations find the values. */
export interface ProfileFields {}
export type Profile = z.infer<typeof profile> & ProfileFields

export const codeInput = z.strictObject({ code: text(20).min(1, 'required') })
export const forgottenInput = z.strictObject({ email })
/** The password or a code again; a recovery code is accepted and used up. */
export const proofInput = z.union([z.strictObject({ password: password.min(1, 'required') }), codeInput])
export type ProofInput = z.infer<typeof proofInput>
/** The optional password replaces a recent sign-in. */
export const confirmationInput = z.strictObject({ password: password.optional() }).nullish()

export const totpState = z.object({ enabled: z.boolean(), recovery_codes_left: z.int() })
export type TotpState = z.infer<typeof totpState>
export const totpSetUp = z.object({ secret: z.string(), uri: z.string(), qr: z.string() })
export type TotpSetUp = z.infer<typeof totpSetUp>
/** Shown only once. */
export const recoveryCodesResponse = z.array(z.string())

export const ownSession = z.object({
  id_session: z.string(),
  address: z.string(),
  user_agent: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSession>
