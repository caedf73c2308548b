type Status = 'OK' | 'WARNING' | 'ERROR'

const gigabyte = 2 ** 30
const hourMs = 3_600_000

const worse = (isBad: boolean, isDoubtful: boolean): Status => (isBad ? 'ERROR' : isDoubtful ? 'WARNING' : 'OK')

export const databaseStatus = (milliseconds: number) => worse(milliseconds > 1_000, milliseconds > 100)

/** Minutes that the oldest work has waited past its time. */
export const queueStatus = (isReady: boolean, minutes: number) => worse(minutes > 60, !isReady || minutes > 5)

/** Without a mail server nothing is lost, but nothing leaves. */
export const mailStatus = ({ canSend, waiting, failed }: { canSend: boolean; waiting: number; failed: number }) =>
  worse(canSend && waiting > 50, !canSend || waiting > 5 || failed > 0)

export const diskStatus = (free: number, total: number) =>
  worse(free < total * 0.03 || free < gigabyte / 4, free < total * 0.1 || free < gigabyte)

/** The age of the last backup; one is made each night. */
export const backupStatus = (age: number | null) => worse(age !== null && age > 72 * hourMs, age === null || age > 26 * hourMs)
