/** A larger file is sent in pieces, which go on where they were after the connection broke. */
export const resumableFromBytes = 5_000_000

/** The field of a form that holds the id of a finished upload, in the place of its file. */
export const uploadField = 'upload'

/** `PATCH /api/uploads/:id`: the byte at which its body begins, and the type of such a body (draft-ietf-httpbis-resumable-upload). */
export const offsetHeader = 'upload-offset'
export const pieceType = 'application/partial-upload'

/** An upload in pieces, and how many bytes of it the server has. */
export type UploadState = { id_upload: string; offset: number; bytes: number }
