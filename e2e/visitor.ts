import type { Page } from '@playwright/test'
import { callApi, expect, hydrated } from './fixtures.ts'

/** Texts and steps of a visitor in the chat. */
export const words = {
  fr: {
    chat: 'Clavarder',
    launcher: /^Clavardage/,
    close: 'Fermer le clavardage',
    minimize: 'Réduire le clavardage',
    closed: /^(Le clavardage est fermé|Aucun technicien n’est libre)$/,
    hours: /8:00 à 17:00/,
    leave: 'Envoyer le message',
    leaveMessage: 'Laisser un message',
    message: 'Votre message',
    required: 'Ce champ est obligatoire.',
    first: 'Vous êtes au premier rang de la file d’attente.',
    taken: /a pris votre conversation en charge/,
    rating: '4 sur 5',
    comment: /Commentaire/,
    sendRating: 'Envoyer mon évaluation',
    rated: 'Merci de votre évaluation.',
    download: 'Télécharger la transcription',
    connecting: 'Reconnexion…',
    problem: 'Qu’est-ce qui se passe?',
    email: 'Courriel',
    name: 'Nom',
    start: 'Parler à un technicien',
    nameMissing: 'Entrez votre nom.',
    write: 'Écrire un message',
    send: 'Envoyer',
    read: 'Lu',
    unsent: 'Pas encore envoyé',
    lost: 'Connexion perdue. Vos messages seront envoyés dès la reconnexion.',
    endTitle: 'Terminer le clavardage?',
    endYes: 'Terminer le clavardage',
    over: 'Le clavardage est terminé',
    yes: 'Oui, l’envoyer',
    no: 'Non, merci',
    sent: /transcription vous sera envoyée/,
    skipped: /Merci de votre visite/,
    broken: 'Une erreur est survenue avec le clavardage.',
    typing: /écrit…/,
  },
  en: {
    chat: 'Chat',
    launcher: /^Live chat/,
    close: 'Close the chat',
    minimize: 'Minimize the chat',
    closed: /^(The chat is closed|No technician is free)$/,
    hours: /8:00 to 17:00/,
    leave: 'Send message',
    leaveMessage: 'Leave a message',
    message: 'Your message',
    required: 'This field is required.',
    first: 'You are next in the queue.',
    taken: /has joined the conversation/,
    rating: '4 out of 5',
    comment: /Comment/,
    sendRating: 'Send rating',
    rated: 'Thank you for your rating.',
    download: 'Download transcript',
    connecting: 'Reconnecting…',
    problem: 'What is happening?',
    email: 'Email',
    name: 'Name',
    start: 'Talk to a technician',
    nameMissing: 'Enter your name.',
    write: 'Write a message',
    send: 'Send',
    read: 'Read',
    unsent: 'Not sent yet',
    lost: 'Connection lost. Your messages will be sent once you are reconnected.',
    endTitle: 'End the chat?',
    endYes: 'End chat',
    over: 'The chat is over',
    yes: 'Yes, send it',
    no: 'No, thank you',
    sent: /transcript will be emailed/,
    skipped: /Thank you for your visit/,
    broken: 'An error occurred with the chat.',
    typing: /is typing…/,
  },
} as const
type Words = (typeof words)['fr' | 'en']

export async function open(page: Page, language: 'fr' | 'en', t: Words, origin = '') {
  await page.addInitScript((value) => {
    if (!localStorage.getItem('application_default_language')) localStorage.setItem('application_default_language', value)
  }, language)
  await page.goto(`${origin}/about${language === 'fr' ? '' : '?lang=en'}`)
  await hydrated(page)
  await page.getByRole('complementary', { name: t.chat }).getByRole('button').click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

export const rings = (page: Page) => page.evaluate(() => (window as unknown as { rings: number }).rings)

/** Changes settings as a supervisor does on their page. */
export async function allowFiles(staff: Page) {
  const path = '/api/chat/settings'
  const settings = await callApi<object>(staff, 'GET', path)
  await callApi(staff, 'PUT', path, { ...settings, attachments_enabled: true })
}

export async function logIn(page: Page, t: Words, name: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t.email).fill('annie@client.example')
  await dialog.getByLabel(t.name).fill(name)
  await dialog.getByRole('button', { name: t.start }).click()
  await expect(dialog.getByRole('log')).toBeVisible()
}

export async function say(page: Page, t: Words, text: string) {
  await page.getByRole('textbox', { name: t.write }).fill(text)
  await page.getByRole('dialog').getByRole('button', { name: t.send }).click()
}
