import { referencePattern } from '../../src/features/requests/values.ts'
import { addressOf, pause } from '../clients.ts'
import type { Act, At } from './steps.ts'
import { other } from './steps.ts'
import type { World } from './world.ts'

const retryMs = 500
const timeoutMs = 8_000
/** Addresses of those who send forms; visitors of the chat have the ones before. */
const firstAddress = 10_000

type Step<Name extends Act['do']> = Extract<Act, { do: Name }>

/** Customers who write by form and by mail, and the technicians who answer them. */
export function createCustomers(world: World, isOver: () => boolean) {
  const { journal } = world
  let texts = 0

  /** Tries again at the other instance, as a load balancer does, until `attempt` returns something. */
  async function insist<Done>(at: At, attempt: (at: At) => Promise<Done | null>): Promise<Done | null> {
    for (let turn: At = at; !isOver(); turn = other(turn)) {
      const done = await attempt(turn).catch(() => null)
      if (done !== null) return done
      await pause(retryMs)
    }
    return null
  }

  /** The same form, with the same `client_id`, until a page could show its number. */
  async function sendForm({ kind, at, copies }: Step<'form'>) {
    const number = journal.forms.length
    const email = `form${number}@example.com`
    const form = { text: `Form ${number}.`, kind, email, sureAt: 0, reference: null as string | null }
    journal.forms.push(form)
    const shared = { honey: '', email, phone: '418 555-0100', client_id: crypto.randomUUID() }
    const values =
      kind === 'support'
        ? { ...shared, firstname: 'Zoé', lastname: 'Roy', subject: 'Panne', description: form.text }
        : { ...shared, name: 'Zoé Roy', message: form.text }
    const headers = { 'x-forwarded-for': addressOf(firstAddress + number) }
    const post = async (turn: At) => {
      const options = { headers, signal: AbortSignal.timeout(timeoutMs) }
      const client = world.client(turn)
      await client.get('/api/mailer/form', options)
      const { status, body } = await client.post<{ reference?: string }>(`/api/mailer/${kind}`, values, options)
      return status === 200 && body.reference && referencePattern.test(body.reference) ? body.reference : null
    }
    const all = await Promise.all(Array.from({ length: copies }, (_, copy) => insist(copy === 0 ? at : other(at), post)))
    const references = new Set(all)
    if (references.size > 1) journal.noticed.push(`${form.text} got several references: ${[...references].join(', ')}`)
    form.reference = all[0] ?? null
    form.sureAt = Date.now()
  }

  async function sendMail({ isTwice, isAnswered }: Step<'mail'>) {
    const email = `mail${journal.mails.length}@client.example.com`
    deliver(email, isTwice ? 2 : 1, [])
    if (!isAnswered) return
    const findAcknowledgement = () => journal.received.find(({ envelope }) => envelope.to.includes(email))
    while (!findAcknowledgement() && !isOver()) await pause(retryMs)
    const messageId = findAcknowledgement()?.messageId
    if (messageId) deliver(email, isTwice ? 2 : 1, [`In-Reply-To: ${messageId}`])
  }

  function deliver(email: string, copies: number, headers: string[]) {
    const text = `Mail ${(texts += 1)}.`
    const head = [
      `From: ${email}`,
      `Subject: Question`,
      `Message-ID: <${texts}@client.example.com>`,
      `Date: ${new Date().toUTCString()}`,
    ]
    const source = [...head, ...headers, '', text, ''].join('\r\n')
    journal.mails.push({ text, email, copies, deliveredAt: Date.now(), isReply: headers.length > 0 })
    world.imap.deliverAll(Array.from({ length: copies }, () => source))
  }

  /** A technician answers a request by mail: the same answer, with the same `client_id`, until it is acknowledged. */
  async function reply({ request: number, at }: Step<'reply'>) {
    const found = (await world.query('select id, email from requests order by id').catch(() => [])) as {
      id: number
      email: string
    }[]
    const request = found[number % Math.max(1, found.length)]
    if (!request) return
    const text = `Reply ${journal.replies.length}.`
    const made = { text, requestId: request.id, email: request.email, isSure: false }
    journal.replies.push(made)
    const body = { text, client_id: crypto.randomUUID() }
    const done = await insist(at, async (turn) => {
      const client = world.client(turn, number % world.lane.technicians.length)
      const signal = AbortSignal.timeout(timeoutMs)
      const { status } = await client.post(`/api/requests/requests/${request.id}/replies`, body, { signal })
      return status === 201 ? true : null
    })
    made.isSure = done !== null
  }

  return { sendForm, sendMail, reply }
}
