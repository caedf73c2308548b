import { z } from 'zod'
import { email, id, text } from '#src/lib/schemas.ts'
import { rightsSchema } from '../groups/contract.ts'
import { password } from '../users/contract.ts'

export const loginInput = z.strictObject({
  username: text(80).min(1, 'required'),
  password: password.min(1, 'required'),
})

/** The signed-in person, as `GET /api/auth/me` answers and session storage keeps under `user_profile`. */
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
  totp_enabled: z.boolean(),
  /** The group requires two-factor: nothing but the profile is open until it is set up. */
  totp_required: z.boolean(),
})
/** What other features add to the profile, by declaration merging; their server declarations say how it is found. */
export interface ProfileFields {}
export type Profile = z.infer<typeof profile> & ProfileFields

export const codeInput = z.strictObject({ code: text(20).min(1, 'required') })
export const forgottenInput = z.strictObject({ email })
/** The password or a code again; a recovery code counts, and is spent. */
export const proofInput = z.union([z.strictObject({ password: password.min(1, 'required') }), codeInput])
export type ProofInput = z.infer<typeof proofInput>
/** May carry the password, which stands for a recent sign-in. */
export const confirmationInput = z.strictObject({ password: password.optional() }).nullish()

export const totpState = z.object({ enabled: z.boolean(), recovery_codes_left: z.int() })
export type TotpState = z.infer<typeof totpState>
export const totpSetUp = z.object({ secret: z.string(), uri: z.string(), qr: z.string() })
export type TotpSetUp = z.infer<typeof totpSetUp>
/** Shown once, never again. */
export const recoveryCodesAnswer = z.array(z.string())

export const ownSession = z.object({
  id_session: z.string(),
  address: z.string(),
  user_agent: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSession>
