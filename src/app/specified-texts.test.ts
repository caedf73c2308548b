import { describe, expect, test } from 'vitest'
import { profileStorageKey, passwordRuleMessage } from '#src/features/people/values.ts'
import { texts as loginTexts, passwordTexts } from '#src/features/people/sign-in/texts.ts'
import { panelEndingTexts as chatAfterTexts } from '#src/features/chat/widget/panel-ending-texts.ts'
import { panelClosedTexts } from '#src/features/chat/widget/panel-closed.tsx'
import { texts as chatTexts } from '#src/features/chat/widget/panel-texts.ts'
import { chatIdStorageKey } from '#src/features/chat/keys.ts'
import { clockRefresh, inputClearDelay, transcriptReloadDelay } from '#src/features/chat/values.ts'
import { adminEmployeeTexts } from '#src/features/employees/admin-texts.ts'
import { departmentTexts, texts as employeeTexts } from '#src/features/employees/texts.ts'
import { photoTypes } from '#src/features/content/values.ts'
import { departments, teamTiles } from '#src/features/employees/values.ts'
import { adminHomeTexts } from '#src/features/home/admin-texts.ts'
import { adminJobTexts } from '#src/features/jobs/admin-texts.ts'
import { adminNetworkTexts } from '#src/features/networks/admin-texts.ts'
import { detailStatuses } from '#src/features/networks/values.ts'
import { adminNoteTexts } from '#src/features/notes/texts.ts'
import { recordingTexts } from '#src/features/recordings/texts.ts'
import { contactFormTexts } from '#src/features/requests/form-texts.ts'
import { outcomeTexts } from '#src/features/requests/outcome.ts'
import { serviceCallTexts } from '#src/features/requests/service-call-texts.ts'
import { messageMax } from '#src/features/requests/form-values.ts'
import { features } from './features.ts'
import { adminTexts } from '#src/app/admin-shell/admin-texts.ts'
import { buttonTexts, entryTexts } from '#src/features/content/texts.ts'
import { alertTexts, updaterTexts } from '#src/features/updates/texts.ts'
import { profileTexts } from '#src/features/people/account/profile-texts.ts'
import { groupTexts } from '#src/features/people/groups/texts.ts'
import { userTexts } from '#src/features/people/users/admin-texts.ts'
import { company } from '#company/company.ts'
import { confirmTexts } from '#src/ui/components/dialog.tsx'
import { savedTexts } from '#src/ui/components/toast.tsx'
import { statusCardTime } from '#src/ui/components/status-card.tsx'

/** Ignores typographic apostrophes and spaces; the words must match. */
const plain = (text: string) => text.replaceAll('’', "'").replaceAll(/[\u00a0\u202f]/g, ' ')

/** The panel button of a page. */
function buttonOf(path: string) {
  const page = features.flatMap(({ admin = [] }) => admin).find((one) => one.path === path)
  if (!page) throw new Error(`no page at ${path}`)
  return page.panel.label ?? page.label
}

describe('the texts of the administration', () => {
  test('name the panel and its buttons', () => {
    const paths = ['/admin/equipe', '/admin/emplois', '/admin/reseau', '/admin/notes']
    expect([adminTexts.fr.panelTitle, ...paths.map((path) => buttonOf(path).fr)]).toEqual([
      'Section administrative',
      'Équipe',
      'Emplois',
      'Réseau statut',
      'Notes',
    ])
  })

  test('name the fields of an employee and of a user', () => {
    const t = adminEmployeeTexts.fr
    expect([
      t.name,
      t.department,
      t.subDepartment,
      t.jobTitle,
      t.jobTitleEn,
      t.email,
      t.description,
      t.descriptionEn,
      buttonTexts.fr.save,
    ]).toEqual([
      'Nom',
      'Département',
      'Sous département',
      'Titre',
      'Titre (Anglais)',
      'Courriel',
      'Description',
      'Description (Anglais)',
      'Sauvegarder',
    ])
  })

  test('name the fields of a posting, a network, a note and the home page', () => {
    const job = adminJobTexts.fr
    expect([job.jobTitle, job.jobTitleEn, job.description, job.descriptionEn]).toEqual([
      'Titre',
      'Titre (Anglais)',
      'Description',
      'Description (Anglais)',
    ])
    const n = adminNetworkTexts.fr
    expect([n.name, n.status, n.online, n.offline, n.onlineShown, n.offlineShown, n.elements, n.add]).toEqual([
      'Nom',
      'Statut',
      'En ligne',
      'Hors ligne',
      'EN LIGNE',
      'HORS LIGNE',
      'Éléments',
      'Ajouter',
    ])
    expect([adminNoteTexts.fr.date, adminNoteTexts.fr.note, adminNoteTexts.fr.noteEn]).toEqual(['Date', 'Note', 'Note (Anglais)'])
    expect([buttonTexts.fr.add, buttonTexts.fr.back, buttonTexts.fr.remove, adminHomeTexts.fr.remove]).toEqual([
      'Nouveau',
      'Retour',
      'Effacer',
      'Supprimer',
    ])
    expect([adminEmployeeTexts.fr.edit, adminJobTexts.fr.edit, adminNoteTexts.fr.edit, buttonTexts.fr.edit]).toEqual([
      'Editer',
      'Editer',
      'Editer',
      'Éditer',
    ])
  })

  test('name the screens specified by label only', () => {
    expect([
      adminTexts.en.profile,
      ...['/admin/users', '/admin/groups', '/admin/recordings'].map((path) => buttonOf(path).en),
    ]).toEqual(['My profile', 'Users', 'Access groups', 'Call recordings'])
    const { title, createTitle, editTitle } = userTexts.en
    expect([profileTexts.en.title, title, createTitle, editTitle]).toEqual([
      'My profile',
      'Users',
      'New user',
      'Edit user {name}',
    ])
    expect([groupTexts.en.title, groupTexts.en.createTitle, groupTexts.en.editTitle]).toEqual([
      'Access groups',
      'New group',
      'Edit group {name}',
    ])
    expect(recordingTexts.en.title).toBe('Call recordings')
    expect([updaterTexts.en.section, updaterTexts.en.title]).toEqual(['Parameters', 'Updater'])
    expect([recordingTexts.en.from, recordingTexts.en.to, recordingTexts.en.search]).toEqual(['From', 'To', 'Search'])
    expect(updaterTexts.en.nextUpdate).toBe('Next update')
  })
})

describe('the departments', () => {
  test('are stored as specified, and shown by their labels', () => {
    expect(departments).toEqual([
      'ADMINISTRATION',
      'DIRECTEUR',
      'PRÉSIDENCE BZ',
      'PROGRAMMATION',
      'SERVICE À LA CLIENTÈLE',
      'VENTES',
      'TELECOM',
      'TECHNICIENS',
    ])
    expect(teamTiles).toHaveLength(7)
    // In sentence case: a row of capitals is slow to read.
    expect([departmentTexts.fr.TECHNICIENS, plain(employeeTexts.fr.customerServiceTile)]).toEqual([
      'Équipe TI',
      'Service à la clientèle (SAC)',
    ])
    const labels = teamTiles.map((tile) => departmentTexts.fr[tile].toLocaleUpperCase('fr-CA'))
    expect(labels.map((label) => (label === 'ÉQUIPE TI' ? 'TECHNICIENS' : label))).toEqual([...teamTiles])
  })
})

describe('the messages', () => {
  test('of the forms', () => {
    const { supportSent, contactSent, failure } = outcomeTexts.fr
    expect([supportSent, contactSent, failure].map(plain)).toEqual([
      'Votre demande a été envoyée avec succès',
      'Votre message a été envoyé avec succès!',
      "Une erreur est survenue lors de l'envoi de votre demande",
    ])
    expect(contactFormTexts.fr.send).toBe('Envoyer!')
    expect(serviceCallTexts.fr.next3).toMatch(/hors des heures.*le jour ouvrable suivant/)
  })

  test('of the sign-in and of passwords', () => {
    expect(plain(loginTexts.fr.failed)).toBe("Erreur durant l'authentification")
    expect(loginTexts.fr.login).toBe('Login')
    const { ruleMessage, notMatching, allRequired } = passwordTexts.en
    expect([ruleMessage, notMatching, allRequired]).toEqual([
      passwordRuleMessage,
      'Password are not matching',
      'All fields are required',
    ])
    expect(passwordRuleMessage).toBe(
      'The new password must contains at least 12 characters, at least one uppercase letter, one lowercase letter, one number and one special character',
    )
  })

  test('of the administration of users', () => {
    const t = userTexts.en
    expect([t.failed, t.deleteFailed, entryTexts.en.createdFailed, t.totpFailed, t.chancesFailed]).toEqual([
      'Error on saving',
      'Error on deleting',
      'Error on creating',
      'Error on re-setting 2FA',
      'Error on re-setting 2FA chances',
    ])
    expect([t.done, t.deleted, savedTexts.en.created, t.totpReset, t.chancesReset, updaterTexts.en.removed]).toEqual([
      'Saved successfully',
      'Deleted successfully',
      'Created successfully',
      '2FA reset',
      '2FA chances reset',
      'The update alert has been removed',
    ])
    expect(confirmTexts.en.confirmQuestion).toBe('Are you sure? This operation is irreversible.')
  })

  test('of the chat and of an update', () => {
    expect(chatAfterTexts.fr.transcriptFailed).toMatch(/^L’envoi de la transcription a échoué/)
    expect(chatTexts.fr.broken).toBe('Une erreur est survenue avec le clavardage.')
    expect(plain(panelClosedTexts.fr.inactive)).toContain('inactif')
    expect(plain(panelClosedTexts.fr.hours)).toContain('8:00 à 17:00, du lundi au vendredi')
    expect(plain(alertTexts.fr.advice)).toMatch(/5 minutes avant et après.*erreur 502/)
  })
})

test('storage keys, delays and limits are as specified', () => {
  expect([profileStorageKey, chatIdStorageKey]).toEqual(['user_profile', 'id_chat'])
  expect([statusCardTime, transcriptReloadDelay, inputClearDelay, clockRefresh]).toEqual([10_000, 3_300, 123, 1_000])
  expect(messageMax).toBe(2000)
  expect(photoTypes).toEqual(['jpg', 'jpeg', 'png', 'avif'])
  expect(detailStatuses).toEqual(['OK', 'WARNING', 'ERROR'])
  expect(company.satisfiedClients).toBe(1300)
})
