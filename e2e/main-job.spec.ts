import { becomeUnavailable } from './console-people.ts'
import { expect, expectAccessible, hydrated, signIn, test } from './fixtures.ts'

const words = {
  fr: {
    open: /Clavarder avec un technicien/,
    email: 'Courriel',
    name: 'Nom',
    business: 'Entreprise',
    start: 'Parler à un technicien',
    send: 'Envoyer',
    becomeAvailable: 'Me rendre disponible',
    leave: 'Me rendre indisponible',
    claim: 'Prendre en charge',
    answer: /Répondre à/,
    close: 'Terminer',
    reopen: 'Rouvrir',
    transcript: /transcription/i,
    question: 'Plus de téléphone au 2e étage.',
    reply: 'Je regarde votre commutateur.',
  },
  en: {
    open: /Chat with a technician/i,
    email: 'Email',
    name: 'Name',
    business: 'Company',
    start: 'Talk to a technician',
    send: 'Send',
    becomeAvailable: 'Become available',
    leave: 'Become unavailable',
    claim: 'Assign to me',
    answer: /^Reply to/,
    close: 'End',
    reopen: 'Reopen',
    transcript: /transcript/i,
    question: 'No phone on the 2nd floor.',
    reply: 'Looking at your switch.',
  },
} as const

for (const language of ['fr', 'en'] as const) {
  test(`a visitor and a technician chat in two browsers: ${language}`, async ({ page, newPerson }) => {
    test.slow()
    const w = words[language]
    const business = `Clinique ${test.info().testId}`
    const staff = await newPerson()
    await staff.addInitScript((choice) => localStorage.setItem('application_default_language', choice), language)
    await page.addInitScript((choice) => localStorage.setItem('application_default_language', choice), language)

    await signIn(staff)
    await staff.goto('/admin/chat')
    await staff.getByRole('button', { name: w.becomeAvailable }).click()
    await expect(staff.getByRole('button', { name: w.leave })).toBeVisible()

    await page.goto('/')
    await hydrated(page)
    await page.getByRole('button', { name: w.open }).click()
    await page.getByRole('textbox', { name: w.email }).fill('annie@example.com')
    await page.getByRole('textbox', { name: w.name, exact: true }).fill('Annie')
    await page.getByRole('textbox', { name: w.business }).fill(business)
    await page.getByRole('button', { name: w.start }).click()
    await page.getByRole('textbox', { name: /message/i }).fill(w.question)
    await page.getByRole('button', { name: w.send, exact: true }).click()

    await staff
      .getByRole('listitem')
      .getByRole('button', { name: new RegExp(business) })
      .click()
    await expect(staff.getByRole('log')).toContainText(w.question)
    await staff.getByRole('button', { name: w.claim, exact: true }).click()
    await staff.getByRole('textbox', { name: w.answer }).fill(w.reply)
    await staff.getByRole('button', { name: w.send, exact: true }).click()
    await expect(page.getByRole('log')).toContainText(w.reply)
    await expectAccessible(staff)

    // The technician wrote last, so closing needs no confirmation and can be undone.
    await staff.getByRole('button', { name: w.close, exact: true }).click()
    await expect(staff.getByRole('status').getByRole('button', { name: w.reopen })).toBeVisible()
    await expect(page.getByText(w.transcript).first()).toBeVisible()
    await becomeUnavailable(staff, { leave: w.leave, become: w.becomeAvailable })
  })
}
