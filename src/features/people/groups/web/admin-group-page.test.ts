import { expect, test } from 'vitest'
import { groupTexts } from '../texts.ts'
import { isPresetName } from './admin-group-page.tsx'

test('a preset gives its name to a group that has none of its own', () => {
  expect(isPresetName('  ')).toBe(true)
  expect(isPresetName(groupTexts.fr.technician)).toBe(true)
  expect(isPresetName(groupTexts.en.supervisor)).toBe(true)
  expect(isPresetName(`${groupTexts.fr.technician} de nuit`)).toBe(false)
})
