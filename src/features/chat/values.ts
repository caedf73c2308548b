import type { Pair } from '#src/lib/language/english-older.ts'

/** Plain text of 1 to 4000 characters after trimming. */
export const chatMessageMax = 4_000
/** Of a message that becomes a request. */
export const leftMessageMax = 10_000
/** A join returns at most this many messages; older ones come page by page. */
export const messagesPerPage = 50
/** A full conversation continues in a new one that is linked to it. */
export const messagesPerConversation = 2_000
/** Longest tag, and how many a conversation has at most. */
export const tagMax = 40
export const tagsPerChat = 10
/** How many pages that a visitor read go to the technicians. */
export const readMax = 10
/** Largest file a visitor can attach, and how many to one conversation. */
export const attachedFileMax = 10 * 1024 * 1024
export const attachedFilesPerChat = 20
/** For the file picker; the server decides by the content. */
export const attachedFileTypes = 'image/jpeg,image/png,image/webp,image/avif,application/pdf,text/plain,.log'
/** In milliseconds. */
export const transcriptReloadDelay = 3_300
export const inputClearDelay = 123
export const clockRefresh = 1_000

/** How long a block can last; besides, until somebody lifts it. */
export const blockHours = [1, 24, 168, 720] as const
/** French and English of a canned reply. */
export const cannedPairs = [['reply', 'reply_en']] as const satisfies readonly Pair[]
