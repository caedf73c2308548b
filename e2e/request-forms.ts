import type { Page } from '@playwright/test'

export const forms = {
  support: {
    path: '/appel-de-service',
    api: '**/api/mailer/support',
    send: 'Envoyer la demande',
    number: /^AS-20\d\d-\d{6}$/,
    values: {
      firstname: 'Zoé',
      lastname: 'Lavallée',
      email: 'zoe@client.example.com',
      phone: '418 555-0100',
      subject: 'Imprimante',
      description: 'Rien ne sort.',
    },
  },
  contact: {
    path: '/contact',
    api: '**/api/mailer/contact',
    send: 'Envoyer!',
    number: /^CT-20\d\d-\d{6}$/,
    values: { name: 'Zoé Lavallée', email: 'zoe@client.example.com', phone: '418 555-0100', message: 'Rappelez-moi.' },
  },
}
type Kind = keyof typeof forms
export const kinds = ['support', 'contact'] as const
export const textOf = (kind: Kind) => (kind === 'support' ? 'description' : 'message')

export async function fillIn(page: Page, kind: Kind, text: string) {
  const values = { ...forms[kind].values, [textOf(kind)]: text }
  for (const [name, value] of Object.entries(values)) await page.locator(`form [name="${name}"]`).fill(value)
}

/** Requests with this text that staff can see, suspected spam included. */
export async function stored(staff: Page, text: string) {
  const find = async (query: string) => {
    const response = await staff.request.get(`/api/requests/requests?search=${encodeURIComponent(text)}${query}`)
    return (await response.json()) as { reference: string; status: string; language: string }[]
  }
  return [...(await find('')), ...(await find('&status=suspected'))]
}
