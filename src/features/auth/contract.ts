import { z } from 'zod'
import { id, text } from '#src/lib/schemas.ts'
import { rightsSchema } from '../groups/contract.ts'

export const loginInput = z.strictObject({
  username: text(80).min(1, 'required'),
  password: text(128).min(1, 'required'),
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
  totp_enabled: z.boolean(),
  update_alert: z.null(),
})
export type Profile = z.infer<typeof profile>

export const loginAnswer = z.object({ status: z.literal('connected'), profile })

