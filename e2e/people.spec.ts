import type { Page } from '@playwright/test'
import { generate } from 'otplib'
import { expect, expectAccessible, signIn, test } from './fixtures.ts'
import type { Product } from './product.ts'

// One user's life cycle: from the invitation to the lock.
test.describe.configure({ mode: 'serial', timeout: 120_000 })

const mireille = { username: 'mireille', password: 'Fanal-Tranquille-88!' }
let recoveryCodes: string[] = []
let groupPage = ''
let userPage = ''

/** Saves, and waits for the list page. */
async function save(page: Page, list: RegExp) {
  await page.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(page).toHaveURL(list)
}

async function edit(page: Page, list: string, name: string) {
  await page.goto(list)
  await expectAccessible(page)
  await page.getByRole('button', { name: `Éditer ${name}`, exact: true }).click()
  await expect(page).toHaveURL(/_edit\/\d+$/)
  return page.url()
}

async function tokenMailedTo(product: Product, address: string) {
  // Technicians also get emails about waiting chats.
  const mail = () =>
    product.smtp.received.findLast(({ envelope, text }) => envelope.to.includes(address) && text?.includes('/admin/password#'))
      ?.text
  await expect.poll(mail, { timeout: 20_000 }).toContain('/admin/password#')
  return /\/admin\/password#([\w-]+)/.exec(mail() ?? '')?.[1] ?? ''
}

test('an invited user chooses a password and sees only the sections of their group', async ({ staff, newPerson, product }) => {
  await staff.goto('/admin/group_nouveau')
  await staff.getByLabel('Nom', { exact: true }).fill('Accueil')
  await staff.getByRole('radio', { name: /^Réseau statut\s:\sLecture$/ }).check()
  await staff.getByRole('radio', { name: /^Clavardage\s:\sÉcriture$/ }).check()
  await expect(staff.getByText(/^Voir\s:\sRéseau statut\.$/)).toBeVisible()
  await expectAccessible(staff)
  await save(staff, /\/admin\/groups$/)
  await expect(staff.getByText('Créé avec succès')).toBeVisible()
  groupPage = await edit(staff, '/admin/groups', 'Accueil')

  await staff.goto('/admin/user_nouveau')
  await staff.getByLabel('Nom d’utilisateur').fill('mireille')
  await staff.getByLabel('Groupe d’accès').selectOption({ label: 'Accueil' })
  await staff.getByLabel('Nom affiché').fill('Mireille')
  const team = (await (await staff.request.get('/api/employees/employes')).json()) as { nom: string; email: string }[]
  const member = team.find(({ email }) => email !== '')
  if (!member) throw new Error('no team member with an address')
  await staff.getByLabel('Courriel').fill(member.email.toUpperCase())
  await staff.getByRole('button', { name: `Choisir ${member.nom} (même courriel)` }).click()
  const record = staff.getByRole('combobox', { name: 'Fiche d’équipe' })
  await expect(record).toBeFocused()
  await expect(record.locator('option:checked')).toHaveText(new RegExp(`^${member.nom}, `))
  await record.selectOption('')
  await staff.getByLabel('Courriel').fill('mireille@example.com')
  await expectAccessible(staff)
  await save(staff, /\/admin\/users$/)
  userPage = await edit(staff, '/admin/users', 'Mireille')
  await expectAccessible(staff)

  const page = await newPerson()
  await page.goto(`/admin/password#${await tokenMailedTo(product, 'mireille@example.com')}`)
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('court')
  const rules = page.getByRole('list', { name: 'Exigences du mot de passe' })
  await expect(rules).toContainText('Une lettre minuscule(respectée)')
  await expect(rules).toContainText('Un chiffre(à respecter)')
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill(mireille.password)
  await expect(rules.getByText('(respectée)')).toHaveCount(5)
  await page.getByLabel('Confirmer le nouveau mot de passe').fill('autre')
  await page.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(page.getByText('Les mots de passe ne correspondent pas')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Confirmer le nouveau mot de passe').fill(mireille.password)
  await page.getByRole('button', { name: 'Sauvegarder' }).click()
  await page.getByRole('link', { name: 'Aller à la connexion' }).click()
  await signIn(page, mireille)
  await expect(page.getByRole('link', { name: 'Réseau statut' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Utilisateurs' })).toHaveCount(0)
})

test.describe('a page without its right', () => {
  test.use({ expectedErrors: ['403'] })

  test('shows that access is denied; a removed right applies at the next request', async ({ staff, newPerson }) => {
    const page = await newPerson()
    await signIn(page, mireille)
    await page.goto('/admin/users')
    await expect(page.getByRole('heading', { name: 'Accès refusé' })).toBeVisible()
    await expectAccessible(page)
    await page.goto('/admin/reseau')
    await expect(page.getByRole('heading', { name: 'Réseau statut', exact: true })).toBeVisible()

    await staff.goto(groupPage)
    await staff.getByRole('radio', { name: /^Réseau statut\s:\sAucun$/ }).check()
    await save(staff, /\/admin\/groups$/)
    expect((await page.request.get('/api/networks/reseau/1/last_change')).status()).toBe(403)
    await page.goto('/admin/reseau')
    await expect(page.getByRole('heading', { name: 'Accès refusé' })).toBeVisible()
  })
})

test.describe('two-factor', () => {
  test.use({ expectedErrors: ['401', '403'] })

  test('is set up first where the group requires it; a recovery code signs in once', async ({ staff, newPerson }) => {
    await staff.goto(groupPage)
    await staff.getByLabel('Exiger l’authentification à deux facteurs (A2F)').check()
    await expect(staff.getByText('Une fois l’authentification à deux facteurs mise en place par chacun.')).toBeVisible()
    await save(staff, /\/admin\/groups$/)
    await expect(staff.getByText('A2F obligatoire')).toBeVisible()

    const page = await newPerson()
    await signIn(page, mireille, '/admin/profile')
    await expect(page.getByText('Votre groupe d’accès l’exige')).toBeVisible()
    await expect(page.getByRole('navigation').getByRole('link')).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Configurer l’A2F' }).click()
    await expect(page.getByRole('img', { name: 'Code QR de configuration de l’A2F' })).toBeVisible()
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
    await page.getByLabel('Code à 6 chiffres').fill(await generate({ secret }))
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Activer l’A2F' }).click()
    const codes = page.getByRole('listitem').filter({ hasText: /^[\da-z]{5}-[\da-z]{5}$/ })
    await expect(codes).toHaveCount(10)
    recoveryCodes = await codes.allInnerTexts()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'J’ai conservé mes codes' }).click()
    await expect(page.getByText('10 codes de secours restants')).toBeVisible()
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Clavardage' }).first()).toBeVisible()

    await submitCode(page, recoveryCodes[0] ?? '')
    await page.waitForURL('**/admin/panel')
    await page.goto('/admin/profile')
    await expect(page.getByText('9 codes de secours restants')).toBeVisible()
    await submitCode(page, recoveryCodes[0] ?? '')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Erreur durant l’authentification')
    await expectAccessible(page)
  })

  test('ending a session or locking the user closes the console of another browser', async ({ staff, newPerson }) => {
    const [here, there] = [await newPerson(), await newPerson()]
    await enter(here, recoveryCodes[1] ?? '')
    await enter(there, recoveryCodes[2] ?? '')
    await openConsole(there)
    await here.goto('/admin/profile')
    await here.getByRole('button', { name: 'Fermer toutes les autres sessions' }).click()
    await expect(there.getByText('Votre session a expiré', { exact: false })).toBeVisible()
    await there.goto('/admin/panel')
    await expect(there).toHaveURL(/\/admin\/login$/)

    await openConsole(here)
    await staff.goto(userPage)
    await staff.getByRole('button', { name: 'Verrouiller le compte' }).click()
    const question = staff.getByRole('alertdialog')
    await expect(question).toContainText('n’a ni demande ni conversation en cours')
    await expect(question).toContainText('Vous pourrez déverrouiller le compte')
    await expect(question).not.toContainText('irréversible')
    await expectAccessible(staff)
    await question.getByRole('button', { name: 'Verrouiller le compte' }).click()
    await expect(staff.getByText('Sauvegardé avec succès')).toBeVisible()
    await expect(here.getByText('Votre session a expiré', { exact: false })).toBeVisible()
    await here.goto('/admin/login')
    await here.getByLabel('Nom d’utilisateur').fill(mireille.username)
    await here.getByLabel('Mot de passe').fill(mireille.password)
    await here.getByRole('button', { name: 'Login' }).click()
    await expect(here.getByRole('main').getByRole('alert')).toContainText('Erreur durant l’authentification')
  })
})

async function submitCode(page: Page, code: string) {
  await page.goto('/admin/login')
  await page.getByLabel('Nom d’utilisateur').fill(mireille.username)
  await page.getByLabel('Mot de passe').fill(mireille.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByLabel('Code de vérification').fill(code)
  await page.getByRole('button', { name: 'Login' }).click()
}

async function enter(page: Page, code: string) {
  await submitCode(page, code)
  await page.waitForURL('**/admin/panel')
}

async function openConsole(page: Page) {
  await page.goto('/admin/chat')
  // Shown once the socket is connected.
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Indisponible' })).toBeVisible()
}

test.describe('the last administrator', () => {
  test.use({ expectedErrors: ['409'] })

  test('cannot be removed, nor can a group in use', async ({ staff }) => {
    await edit(staff, '/admin/users', 'admin')
    await staff.getByRole('button', { name: 'Verrouiller le compte' }).click()
    await staff.getByRole('alertdialog').getByRole('button', { name: 'Verrouiller le compte' }).click()
    await expect(staff.getByText('Ce compte est le dernier')).toBeVisible()

    await edit(staff, '/admin/groups', 'Administrateurs')
    await staff.getByLabel('Activé').uncheck()
    await expect(staff.getByText('Rien tant qu’il est désactivé.')).toBeVisible()
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByRole('alert').filter({ hasText: 'Ce compte est le dernier' })).toContainText(
      'Erreur lors de la sauvegarde',
    )
    await expectAccessible(staff)

    await staff.goto('/admin/groups')
    await staff.getByRole('button', { name: 'Effacer Accueil' }).click()
    await staff.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click()
    await expect(staff.getByText('Ce groupe a encore des membres')).toBeVisible()
  })
})
