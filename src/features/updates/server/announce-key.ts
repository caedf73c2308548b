import { commandAuthor, signCommand, signedFor } from '#src/server/http/command-key.ts'

const command = 'announce-update'

export const announceAuthor = commandAuthor(command)

export const signAnnouncement = (secret: string, now = Date.now()) => signCommand(secret, command, now)

/** Guard: lets only the command of the same server through. */
export const signed = signedFor(command)
