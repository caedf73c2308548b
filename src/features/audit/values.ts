export const journalPageSize = 50
