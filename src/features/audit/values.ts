export const auditPageSize = 50

/** Stands as the author of sample content in stored events; the page shows it in the reader's language. */
export const sampleAuthor = 'DEMO'
