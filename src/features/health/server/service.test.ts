import { expect, test } from 'vitest'
import { backupStatus, databaseStatus, diskStatus, mailStatus, queueStatus } from './service.ts'

const gigabyte = 2 ** 30
const hour = 3_600_000

test.each([
  ['a fast database', databaseStatus(3), 'OK'],
  ['a slow database', databaseStatus(300), 'WARNING'],
  ['a very slow database', databaseStatus(1_500), 'ERROR'],
  ['an empty queue', queueStatus(true, 0), 'OK'],
  ['a queue that has not started', queueStatus(false, 0), 'WARNING'],
  ['an overdue queue', queueStatus(true, 61), 'ERROR'],
  ['mail that is sent', mailStatus({ canSend: true, waiting: 1, failed: 0 }), 'OK'],
  ['no mail server', mailStatus({ canSend: false, waiting: 200, failed: 0 }), 'WARNING'],
  ['a failed mail', mailStatus({ canSend: true, waiting: 0, failed: 1 }), 'WARNING'],
  ['a mail server that is down', mailStatus({ canSend: true, waiting: 51, failed: 0 }), 'ERROR'],
  ['free disk space', diskStatus(50 * gigabyte, 100 * gigabyte), 'OK'],
  ['a nearly full disk', diskStatus(9 * gigabyte, 100 * gigabyte), 'WARNING'],
  ['a full disk', diskStatus(0.2 * gigabyte, 4 * gigabyte), 'ERROR'],
  ['a backup of last night', backupStatus(20 * hour), 'OK'],
  ['no backup yet', backupStatus(null), 'WARNING'],
  ['a missed night', backupStatus(30 * hour), 'WARNING'],
  ['several missed nights', backupStatus(80 * hour), 'ERROR'],
])('%s is %s', (_name, found, wanted) => {
  expect(found).toBe(wanted)
})
