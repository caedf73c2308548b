import { z } from 'zod'
import { isCommonPassword, passwordMaxLength, passwordRules } from '#src/lib/passwords.ts'
import { email, entryVersion, id, limits, requiredText, text } from '#src/lib/schemas.ts'

export const passwordRuleMessage =
  'The new password must contains at least 12 characters, at least one uppercase letter, one lowercase letter, one number and one special character'

const password = text(passwordMaxLength)
const newPassword = password.refine((value) => passwordRules.every((rule) => rule.isMet(value)), passwordRuleMessage)
const username = z.string().regex(/^[\w.@-]{1,80}$/, 'letters, digits, dot and dash only')
const color = z.string().regex(/^#[\da-fA-F]{6}$/)

type Pair = { new_password: string; confirmation: string }
const isConfirmed = (input: Pair) => input.new_password === input.confirmation
const notMatching = { path: ['confirmation'], message: 'Password are not matching' }

export const newPasswordInput = z.strictObject({ new_password: newPassword, confirmation: password }).refine(isConfirmed, notMatching)
export const ownPasswordInput = z
  .strictObject({ old_password: password.min(1), new_password: newPassword, confirmation: password })
  .refine(isConfirmed, notMatching)
export const linkPasswordInput = z
  .strictObject({ token: text(100), new_password: newPassword, confirmation: password })
  .refine(isConfirmed, notMatching)

/** True where a password that meets the rules is refused all the same (contract.md 4). */
export const isRefusedPassword = isCommonPassword

const names = {
  first_name: text(limits.name).default(''),
  last_name: text(limits.name).default(''),
  display_name: requiredText(limits.name),
  email,
}

export const userInput = z.strictObject({ username, ...names, id_group: id, color: color.optional(), version: entryVersion })
export type UserInput = z.infer<typeof userInput>

export const profileInput = z.strictObject({
  ...names,
  color: color.optional(),
  new_photo_path: text(1_000).optional(),
  new_photo: z.string().max(11_500_000).optional(),
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
  image_url: z.string().nullable(),
  id_group: id,
  group: z.string(),
  locked: z.boolean(),
  invited: z.boolean(),
  totp_enabled: z.boolean(),
  totp_chances: z.int(),
  created_date: z.string(),
  updated_date: z.string(),
  last_login: z.string().nullable(),
  version: z.int(),
})
export type User = z.infer<typeof user>
