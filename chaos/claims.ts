import { administrator, startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { StaffConnection } from './clients.ts'
import { becomeAvailable, openTechnician, openVisitor, pause, startConversation, trusting } from './clients.ts'
import type { Row } from './row.ts'

const technicians = 50
const chats = 1_000
const password = 'Fanal-Tranquille-88!'

export const claims: Row = {
  name: 'claims',
  fault: `${technicians} technicians claim one chat, ${chats} times`,
  async run() {
    const product = await startProduct({ ...trusting })
    const origin = product.address()
    const staff = await hire(origin)
    const watching = await openTechnician(origin)
    await becomeAvailable(watching)

    let withoutWinner = 0
    let withSeveral = 0
    let unexpected = 0
    for (let index = 0; index < chats; index += 1) {
      // Each from its own address, because one address would be rate-limited.
      const visitor = openVisitor(origin, index)
      await startConversation(visitor, `Visitor ${index}`)
      visitor.close()
      const id = await newestChat(watching)
      const answers = await Promise.all(staff.map((one) => claimWithRetries(one, id)))
      const winners = answers.filter((answer) => answer === 'won').length
      if (winners === 0) withoutWinner += 1
      if (winners > 1) withSeveral += 1
      unexpected += answers.filter((answer) => answer !== 'won' && answer !== 'taken').length
    }
    for (const one of [watching, ...staff]) one.close()
    await product.stop()
    return {
      good: withoutWinner === 0 && withSeveral === 0 && unexpected === 0,
      figures: {
        claims: chats * technicians,
        'chats with one winner': chats - withoutWinner - withSeveral,
        withSeveral,
        unexpected,
      },
    }
  },
}

/** Makes the technicians through the administration, each with a session of their own. */
async function hire(origin: string): Promise<StaffConnection[]> {
  const client = await createTestClient(origin).arrive()
  await client.post('/api/auth/login', administrator)
  const { body: group } = await client.post<{ id_group: number }>('/api/groups/groups', {
    name: 'Clavardage',
    enabled: true,
    rights: { chat: 'read_write' },
  })
  const staff: StaffConnection[] = []
  for (let number = 0; number < technicians; number += 1) {
    const username = `technicien${number}`
    const {
      body: user,
      status,
      text,
    } = await client.post<{ id_user: number }>('/api/users/users', {
      username,
      first_name: '',
      last_name: '',
      display_name: username,
      email: `${username}@example.com`,
      id_group: group.id_group,
    })
    if (status !== 201) throw new Error(text)
    await client.put(`/api/users/users/${user.id_user}/password`, { new_password: password, confirmation: password })
    staff.push(await openTechnician(origin, { username, password }, number + 1))
  }
  return staff
}

async function newestChat(technician: StaffConnection) {
  const answer = await technician.emitWithAck('staff:chats', { scope: 'open' })
  const waiting = answer.ok ? answer.chats.filter((chat) => chat.status === 'waiting').map(({ id }) => id) : []
  return Math.max(...waiting)
}

/** Retries while rate-limited or after a lost connection, to learn who won: who has the chat may claim it again. */
async function claimWithRetries(technician: StaffConnection, id: number) {
  for (;;) {
    const answer = await technician.emitWithAck('staff:claim', { id }).catch(() => null)
    if (answer?.ok) return 'won'
    if (answer && answer.error.code !== 'limited') return answer.error.code
    await pause(100)
  }
}
