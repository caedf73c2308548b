import { commandAuthor } from '#src/server/http/command-key.ts'

export const announceCommand = 'announce-update'

export const announceAuthor = commandAuthor(announceCommand)
