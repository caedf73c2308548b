import type { LocalizedText } from '#src/lib/form-result.ts'

/** As programs say it by its name, and git and the C library in words (in English: they run with the locale C). */
export const isFullDisk = (output: string) => /ENOSPC|no space left on device/i.test(output)

const fullDisk = {
  fr: 'le disque est plein. Libérez de l’espace, puis relancez la commande.',
  en: 'the disk is full. Free some space, then run the command again.',
}

/** Why a program failed: a full disk in one sentence, however long the program writes of it; otherwise its last lines. */
export function explainOutput(output: string, lines = 6): LocalizedText {
  if (isFullDisk(output)) return fullDisk
  const last = output.trim().split('\n').slice(-lines).join('\n')
  return { fr: last, en: last }
}
