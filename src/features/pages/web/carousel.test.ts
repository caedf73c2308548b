import { expect, test } from 'vitest'
import { media } from '#company/media.ts'
import { pictureAddress } from './carousel.tsx'

test('each scene of the company has its picture', () => {
  expect(media.wayOfLife.length).toBeGreaterThan(0)
  for (const { picture } of media.wayOfLife) expect(pictureAddress(picture)).toContain(picture)
})
