import { expect, expectAccessible, test } from './fixtures.ts'

test.describe('an announcement', () => {
  // The same one is refused the second time.
  test.use({ expectedErrors: ['409 (Conflict)'] })

  test('is written in both languages, previewed, sent, undone, and not sent twice', async ({ staff, page }) => {
    // A visitor asks for the news on the status page; the consent names what is checked.
    await page.goto('/reseau')
    const form = page.locator('#abonnement')
    await expect(form.getByText('les avis d’état du réseau et ses nouvelles')).toBeHidden()
    await form.getByText('Nouvelles de l’entreprise').click()
    await expect(form.getByText('les avis d’état du réseau et ses nouvelles')).toBeVisible()
    await expect(form.getByText(/m’envoie par courriel les avis d’état du réseau\./)).toBeHidden()
    await form.getByRole('textbox', { name: 'Courriel' }).fill('noemie@example.com')
    await form.getByRole('checkbox', { name: /J’accepte que .* ses nouvelles/ }).check()
    await form.getByRole('button', { name: 'M’abonner' }).click()
    await expect(page.getByText('Un courriel vous attend')).toBeVisible()

    await staff.goto('/admin/annonces')
    await expectAccessible(staff)
    await staff.getByRole('link', { name: 'Nouveau' }).click()
    await staff.getByRole('button', { name: /^Envoyer/ }).click()
    await expect(staff.getByText('Ce champ est obligatoire.')).toHaveCount(4)
    const write = async () => {
      await staff.getByLabel('Objet', { exact: true }).fill('Nouveau bureau à Lévis')
      await staff.getByLabel('Objet (Anglais)').fill('New office in Lévis')
      await staff.getByRole('textbox', { name: 'Texte', exact: true }).fill('Venez nous voir dès lundi.')
      await staff.getByRole('textbox', { name: 'Texte (Anglais)' }).fill('Come and see us from Monday.')
    }
    await write()
    await staff.getByRole('button', { name: 'Aperçu' }).click()
    const preview = staff.getByRole('dialog')
    await expect(preview.getByText('Venez nous voir dès lundi.')).toBeVisible()
    await expect(preview.getByText('Change my choices or unsubscribe')).toBeVisible()
    await expectAccessible(staff)
    await preview.getByRole('button', { name: 'Fermer' }).click()
    await staff.getByRole('button', { name: /^Envoyer/ }).click()
    await expect(staff).toHaveURL(/\/admin\/annonces$/)
    const bar = staff.getByRole('region', { name: 'Annonce qui va partir' })
    await expect(bar).toContainText('Nouveau bureau à Lévis')
    await expectAccessible(staff)

    await staff.getByRole('link', { name: 'Nouveau' }).click()
    await write()
    await staff.getByRole('button', { name: /^Envoyer/ }).click()
    await expect(staff.getByText('Cette annonce a déjà été envoyée')).toBeVisible()
    await staff.getByRole('button', { name: 'Retour' }).click()
    await staff.getByRole('dialog').or(staff.getByRole('alertdialog')).getByRole('button', { name: 'Quitter la page' }).click()

    await bar.getByRole('button', { name: 'Annuler l’envoi' }).click()
    await expect(staff.getByText('L’envoi est annulé.')).toBeVisible()
    await expect(bar).toHaveCount(0)
    await expect(staff.getByRole('row', { name: /Nouveau bureau à Lévis.*Annulée/ })).toBeVisible()
    await staff.getByRole('button', { name: 'Lire l’annonce Nouveau bureau à Lévis' }).click()
    await expect(staff.getByRole('dialog').getByText('Come and see us from Monday.')).toBeVisible()
  })
})
