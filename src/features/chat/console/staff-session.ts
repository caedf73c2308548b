import { createStaffClient } from '../client/chat-client.ts'
import { ChatError } from '../client/connection.ts'
import type { StaffChat, StaffMessage } from '../protocol.ts'
import type { ConsoleAction } from './console-state.ts'
import { emptyConsole, reduceConsole, isNoteDraft, storeDraft, readDraft } from './console-state.ts'

/** What a technician may want an alert for. */
export type StaffAlert =
  | { type: 'chat' | 'transferred' | 'unanswered'; chat: StaffChat }
  | { type: 'message'; chat: StaffChat; message: StaffMessage }

/** One technician's connection to the chat: the list of conversations, and what can be done with each. */
export function createStaffSession(userId: number, onAlert: (alert: StaffAlert, isAvailable: boolean) => void) {
  const listeners = new Set<() => void>()
  const claiming = new Set<number>()
  let state = emptyConsole

  function dispatch(action: ConsoleAction) {
    state = reduceConsole(state, action)
    for (const listener of listeners) listener()
  }

  const client = createStaffClient(userId, {
    // The other screens of the administration do not wait for the library.
    loadIo: async () => (await import('socket.io-client')).io,
    hooks: {
      onLink(link, refusal) {
        dispatch({ type: 'link', link, refusal })
        if (link === 'up') loadChats().catch(fail)
      },
      onOpened(_id, { chat }) {
        dispatch({ type: 'chat', chat })
        return true
      },
      onOpenFailed: (_id, error) => fail(error),
      onSendRefused(id, error) {
        const { code, userName } = error
        if (code !== 'taken' && code !== 'answered') return fail(error)
        // A colleague was faster: the text goes back into the input, and their answer is read.
        const texts = client.takeBack(id, (one) => !one.internal)
        storeDraft(id, [...texts, readDraft(id)].filter(Boolean).join('\n'), isNoteDraft(id))
        dispatch({ type: 'returned', id, code, userName })
        void client.open(id)
      },
    },
  })

  client.on('staff:chat', (chat) => {
    const before = findChat(chat.id)
    if (!before && chat.status === 'waiting') alert({ type: 'chat', chat })
    const isTransferred = chat.id_user === userId && before?.id_user !== userId && !claiming.has(chat.id)
    if (isTransferred && before && chat.status === 'claimed') alert({ type: 'transferred', chat })
    dispatch({ type: 'chat', chat })
  })
  client.on('staff:new-message', (message) => {
    const chat = findChat(message.id)
    if (chat?.id_user === userId && !message.bz_staff && !message.internal) alert({ type: 'message', chat, message })
    dispatch({ type: 'written', id: message.id })
  })
  client.on('staff:unanswered', ({ id }) => {
    const chat = findChat(id)
    if (chat?.status === 'waiting') alert({ type: 'unanswered', chat })
  })
  client.on('staff:presence', (users) => dispatch({ type: 'presence', users }))
  client.on('staff:availability', (own) => dispatch({ type: 'availability', ...own }))
  client.on('staff:closing', ({ closes_at: closesAt }) => dispatch({ type: 'closing', closesAt }))
  client.on('staff:typing', ({ id }) => dispatch({ type: 'typing', id, at: Date.now() }))
  client.on('staff:answering', ({ id, user_name: name }) => dispatch({ type: 'answering', id, name, at: Date.now() }))

  const findChat = (id: number) => state.chats.find((one) => one.id === id)
  const alert = (one: StaffAlert) => onAlert(one, state.available)

  async function loadChats() {
    dispatch({ type: 'listed', ...(await client.request('staff:chats', { scope: 'all' })) })
  }

  async function restoreUnsent() {
    for (const id of await client.findStored()) await client.restore(Number(id))
  }

  function fail(error: unknown) {
    console.warn(error)
    // The console shows a lost connection all the time it lasts.
    if (error instanceof ChatError && error.code === 'silent' && !client.isUp()) return
    dispatch({ type: 'failed', failure: error instanceof ChatError ? error : new ChatError('broken') })
  }

  return {
    client,
    read: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      client.start()
      restoreUnsent().catch(fail)
    },
    stop: client.stop,
    /** Shows why an operation failed. */
    fail,
    dismissFailure: () => dispatch({ type: 'failed', failure: null }),

    isClaiming: (id: number) => claiming.has(id),
    async claim(id: number) {
      claiming.add(id)
      try {
        dispatch({ type: 'chat', chat: (await client.request('staff:claim', { id })).chat })
      } finally {
        claiming.delete(id)
      }
    },
    async close(id: number) {
      dispatch({ type: 'chat', chat: (await client.close(id)).chat })
    },
    async transfer(id: number, toUserId: number) {
      dispatch({ type: 'chat', chat: (await client.request('staff:transfer', { id, id_user: toUserId })).chat })
    },
    async setAvailable(available: boolean) {
      dispatch({ type: 'availability', ...(await client.request('staff:availability', { available })) })
    },
    /** The page of the list before a moment. */
    async loadOlderChats(before: string) {
      const { chats, more } = await client.request('staff:chats', { scope: 'all', before })
      dispatch({ type: 'older', chats, more })
    },
    /** Searches the whole history. */
    search: (text: string) => client.request('staff:chats', { scope: 'all', search: text }),
    /** Sends a prepared message, which no colleague's answer makes needless; under one id it is stored once. */
    async announce(id: number, message: string, clientMessageId: string) {
      const sent = await client.request('staff:send-message', { id, message, client_message_id: clientMessageId })
      client.receive(sent.message)
    },
  }
}

export type StaffSession = ReturnType<typeof createStaffSession>
