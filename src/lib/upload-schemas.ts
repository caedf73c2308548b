import { z } from 'zod'

export const uploadId = z.string().refine((id) => /^[\w-]{43}$/.test(id), 'invalid')

/** A file of a JSON body comes as Base64, or as the id of a finished upload. */
export const hasOneContent = ({ data, upload }: { data?: string | undefined; upload?: string | undefined }) =>
  (data === undefined) !== (upload === undefined)
