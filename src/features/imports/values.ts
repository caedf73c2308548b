export const importStates = ['waiting', 'running', 'done', 'stopped', 'failed', 'undone'] as const
export type ImportState = (typeof importStates)[number]

/** Days in which an import can be undone, and after which a file that was never imported is removed. */
export const undoDays = 30
/** The largest file that a page or a command sends. */
export const fileMaxBytes = 4 * 1024 ** 3
/** First entries that are compared before the import. */
export const previewMax = 20
/** Refused entries that the API lists; the file has all of them. */
export const refusedMax = 1_000
/** Entries that an undo left, which are named. */
export const leftMax = 100
/** The name of the choice that holds a folder of the server with the pictures of a site. */
export const uploadsChoice = '(uploads)'
/** The name of the choice by which pictures are fetched from their addresses. */
export const fetchChoice = '(fetch)'
/** The kind whose pages have pictures elsewhere. */
export const fetchingKind = 'wordpress'
/** The kind that comes, and is undone, as a whole. */
export const wholeKind = 'guichet'
