export const auditPageSize = 50

/** Recorded author of sample content; the page shows it in the reader's language. */
export const sampleAuthor = 'DEMO'
