/** Values of the contract that pages need without its schemas, which would weigh on the first load. */
export const requestKinds = ['support', 'contact', 'chat', 'mail'] as const
export type RequestKind = (typeof requestKinds)[number]

/** `waiting`: for the customer. */
export const requestStatuses = ['new', 'open', 'waiting', 'done'] as const
export type RequestStatus = (typeof requestStatuses)[number]
/** What a trap for robots caught waits for a person's word before it becomes a request. */
export const storedStatuses = [...requestStatuses, 'suspected'] as const
export type StoredStatus = (typeof storedStatuses)[number]

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

/** What the list of requests shows: mine, nobody's, late, waiting for the customer, done, spam. */
export const requestViews = ['mine', 'unassigned', 'late', 'waiting', 'done', 'spam'] as const
export type RequestView = (typeof requestViews)[number]

export const entryKinds = ['customer', 'staff', 'internal', 'event'] as const
export const channels = ['form', 'mail', 'chat', 'page'] as const
/** Parts of a contact that can be corrected. */
export const contactParts = ['name', 'email', 'phone'] as const
export const mailPurposes = ['acknowledgement', 'reply', 'copy', 'link'] as const
export const deliveries = ['queued', 'sent', 'failed', 'bounced'] as const
export type Delivery = (typeof deliveries)[number]
/** What became of a mail that came in; one that is `waiting` needs a person, one that is `unreadable` stays in the mailbox. */
export const inboxStates = ['joined', 'created', 'waiting', 'bounce', 'ours', 'dismissed', 'unreadable'] as const
export type InboxState = (typeof inboxStates)[number]

/** Most characters of a reply, and most bytes and number of its files. */
export const replyMax = 10_000
export const replyFilesMaxBytes = 10_000_000
export const replyFilesMax = 10

/** Days for which the customer's page stays open after the end of the request. */
export const pageDays = 90

/** Which of the fields that no person fills were filled. */
export const traps = ['honey', 'username', 'both'] as const
export type Trap = (typeof traps)[number]

export const mailStates = ['waiting', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]

export const requestSorts = ['due', '-created_at', 'created_at', 'name', '-name', 'status', '-status'] as const
export type RequestSort = (typeof requestSorts)[number]

/** Under this a robot filled the form, or the visitor came back to it: the server waits for the rest. */
export const minimumFillMs = 2_000
export const requestsPerPage = 25

const prefixes: Record<RequestKind, string> = { support: 'AS', contact: 'CT', chat: 'CL', mail: 'CO' }

/** `AS-2026-000123`: kind, year and number. */
export function formatReference(kind: RequestKind, year: number | string, number: number) {
  return `${prefixes[kind]}-${year}-${String(number).padStart(6, '0')}`
}

/** Nothing but a number of this shape proves that a form arrived. */
export const referencePattern = /^(?:AS|CT|CL|CO|CA)-\d{4}-\d{6,}$/
