import { expect, test } from 'vitest'
import routes from '#src/routes.ts'

type Node = { path?: string | undefined; file: string; children?: Node[] | undefined }
const layout = (routes as Node[]).find(({ file }) => file.endsWith('admin-layout.tsx'))
const paths = (layout?.children ?? []).flatMap(({ path }) => path ?? [])

test('every specified admin address has a page inside the layout that requires a session', () => {
  expect(layout?.path).toBe('admin')
  expect(paths).toEqual(
    expect.arrayContaining([
      'panel',
      'equipe',
      'equipe_nouveau',
      'equipe_edit/:id_employe',
      'emplois',
      'emploi_nouveau',
      'emploi_edit/:id_emploi',
      'notes',
      'note_nouveau',
      'note_edit/:id_note',
      'reseau',
      'reseau_nouveau',
      'reseau_edit/:id_reseau',
    ]),
  )
})

test('screens specified by label only have an address', () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      'profile',
      'users',
      'user_nouveau',
      'user_edit/:id_user',
      'groups',
      'group_nouveau',
      'group_edit/:id_group',
      'recordings',
      'parameters/updater',
    ]),
  )
})
