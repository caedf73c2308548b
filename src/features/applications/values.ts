/** Values of the contract that pages need without its schemas. */
export const applicationStatuses = ['new', 'reviewing', 'interview', 'accepted', 'declined'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]
/** What a trap for robots caught waits until somebody of the staff takes or erases it. */
export const storedApplicationStatuses = [...applicationStatuses, 'suspected'] as const
export type StoredApplicationStatus = (typeof storedApplicationStatuses)[number]

export const documentKinds = ['pdf', 'doc', 'docx', 'odt'] as const
export type DocumentKind = (typeof documentKinds)[number]

export const applicationFields = ['firstname', 'lastname', 'email', 'phone', 'message', 'files'] as const
export const applicationFilesMax = 5
/** Of all files of one application. */
export const applicationFilesMaxBytes = 10_000_000
export const applicationsPerPage = 25
