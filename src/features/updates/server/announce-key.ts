import { commandAuthor, signCommand } from '#src/server/http/command-key.ts'

export const announceCommand = 'announce-update'

export const announceAuthor = commandAuthor(announceCommand)

export const signAnnouncement = (secret: string, now = Date.now()) => signCommand(secret, announceCommand, now)
