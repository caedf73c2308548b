import { expect, test } from 'vitest'
import type { Feature } from './feature.ts'
import { areaLabel, areasOf, findEntryKind, labelOfPath, pathOfEntry } from './feature.ts'

const features: readonly Feature[] = [
  {
    areas: { jobs: { fr: 'Emplois', en: 'Jobs' } },
    actions: [{ path: '/admin/emploi_nouveau', label: { fr: 'Ajouter un emploi', en: 'Add a job' }, area: 'jobs' }],
    entries: [
      { area: 'jobs', label: { fr: 'Emploi {id}', en: 'Job {id}' }, path: '/admin/emploi_edit/:id' },
      { area: 'jobs', kind: 'drafts', label: { fr: 'Ébauche {id}', en: 'Draft {id}' } },
      {
        area: 'jobs',
        kind: 'settings',
        label: { fr: 'Réglages', en: 'Settings' },
        path: '/admin/emplois',
        needs: { area: 'jobs', level: 'administrator' },
      },
    ],
  },
  { auditAreas: { privacy: { fr: 'Confidentialité', en: 'Privacy' } } },
]

test('areas come in the order of the features, with a label each', () => {
  expect(areasOf(features)).toEqual(['jobs'])
  expect(areaLabel(features, 'jobs').en).toBe('Jobs')
  expect(areaLabel(features, 'privacy').en).toBe('Privacy')
  expect(areaLabel(features, 'gone').en).toBe('gone')
})

test('an entry of the audit log belongs to the kind that its id names', () => {
  expect(findEntryKind(features, 'jobs', '3')?.label.en).toBe('Job {id}')
  expect(findEntryKind(features, 'jobs', 'drafts/3')?.label.en).toBe('Draft {id}')
  expect(findEntryKind(features, 'jobs', 'settings')?.label.en).toBe('Settings')
  expect(findEntryKind(features, 'jobs', 'b4c1')).toBeUndefined()
  expect(findEntryKind(features, 'notes', '3')).toBeUndefined()
})

test('an entry leads to its page where it has one', () => {
  const rights = { jobs: 'administrator' } as const
  expect(pathOfEntry(findEntryKind(features, 'jobs', '3'), '3', rights)).toBe('/admin/emploi_edit/3')
  expect(pathOfEntry(findEntryKind(features, 'jobs', 'settings'), 'settings', rights)).toBe('/admin/emplois')
  expect(pathOfEntry(findEntryKind(features, 'jobs', 'drafts/3'), '3', rights)).toBeNull()
})

test('an entry leads nowhere for a user who may not open its page', () => {
  const [job, settings] = ['3', 'settings'].map((id) => findEntryKind(features, 'jobs', id))
  expect(pathOfEntry(job, 3, { audit: 'administrator' })).toBeNull()
  expect(pathOfEntry(job, 3, { jobs: 'read_only' })).toBe('/admin/emploi_edit/3')
  expect(pathOfEntry(job && { ...job, isContent: true }, 3, { jobs: 'read_only' })).toBeNull()
  expect(pathOfEntry(settings, 'settings', { jobs: 'read_write' })).toBeNull()
})

test.each([
  ['/admin/emploi_edit/3', 'Emploi 3'],
  ['/admin/emploi_edit/3?lang=en', 'Emploi 3'],
  ['/admin/emploi_nouveau', 'Ajouter un emploi'],
  ['/admin/emploi_edit/3/x', undefined],
  ['/admin/emploi_edit/', undefined],
  ['/admin/elsewhere', undefined],
])('%s is named in words: %s', (address, label) => {
  expect(labelOfPath(features, address)?.fr).toBe(label)
})
