import type { LocalizedText } from '#src/lib/form-result.ts'

/** Node writes the code of the error, git its English message (it runs with LC_ALL=C). */
export const isFullDisk = (output: string) => /ENOSPC|no space left on device/i.test(output)

const fullDisk = {
  fr: 'le disque est plein. Libérez de l’espace, puis relancez la commande.',
  en: 'the disk is full. Free some space, then run the command again.',
}

/** Why a program failed: a full disk in one sentence, or else its last lines. */
export function explainOutput(output: string): LocalizedText {
  if (isFullDisk(output)) return fullDisk
  const last = output.trim().split('\n').slice(-6).join('\n')
  return { fr: last, en: last }
}
