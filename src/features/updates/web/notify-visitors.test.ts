import { expect, test } from 'vitest'
import { z } from 'zod'
import { announcementId } from './notify-visitors.tsx'

const alert = { id_update: 3, next_update: '2026-12-02T03:00:00.000Z' }

test('the message about an update has one id per conversation, and another once the update moved', () => {
  const id = announcementId(alert, 12)
  expect(z.uuid().safeParse(id).success).toBe(true)
  expect(announcementId({ ...alert }, 12)).toBe(id)
  const others = [announcementId(alert, 13), announcementId({ ...alert, id_update: 4 }, 12)]
  const moved = announcementId({ ...alert, next_update: '2026-12-02T03:30:00.000Z' }, 12)
  expect(new Set([id, moved, ...others]).size).toBe(4)
})
