import { createStaffClient } from '../client/staff-client.ts'
import type { SharingTabs } from '../client/outbox.ts'
import { ChatError } from '../client/connection.ts'
import type { ReleaseReason, StaffChat, StaffMessage } from '../protocol.ts'
import type { ConsoleAction, ConsoleState, Operation } from './console-state.ts'
import { emptyConsole, isOwnChat, operationKey, ownChats, reduceConsole, unansweredSince } from './console-state.ts'
import { callApi, getJson, makeClientId } from '#src/ui/api.ts'
import { findHost } from '#src/ui/hosts.ts'
import type { ChatSettings, LinkedRequest } from '../contract.ts'
import type { DraftKind } from './drafts.ts'
import { createDrafts } from './drafts.ts'
import { createFileUpload, createOutgoingFiles } from './outgoing-files.ts'
import { readServerTime } from './times.ts'

/** What a technician may want an alert for. */
export type StaffAlert =
  | { type: 'chat' | 'offered' | 'transferred' | 'unanswered' | 'silence'; chat: StaffChat }
  | { type: 'accepted' | 'declined' | 'expired'; chat: StaffChat; colleague: string }
  | { type: 'message'; chat: StaffChat; message: StaffMessage }

/** The bell does not ring for a wait that was over the limit for so long. */
const bellLateMs = 10_000
const listRetryMs = 4_000
const channelName = 'guichet-chat-unsent'

/** The tabs of this browser: Web Locks let one of them send at a time, a channel carries what changed. */
function openSharingTabs(): SharingTabs {
  const channel = openChannel()
  return {
    async exclusively(name, work) {
      let isRun = false
      const run = () => {
        isRun = true
        return work()
      }
      try {
        if ('locks' in navigator) await navigator.locks.request(`${channelName} ${name}`, run)
      } catch (error) {
        if (isRun) throw error
        // A browser that refuses storage refuses locks too: the texts leave without them.
        console.warn(error)
      }
      if (!isRun) await work()
    },
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin
    publish: (name) => channel?.postMessage(name),
    subscribe: (listener) => channel?.addEventListener('message', ({ data }: MessageEvent<string>) => listener(data)),
  }
}

function openChannel() {
  try {
    return 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : null
  } catch (error) {
    console.warn(error)
    return null
  }
}

type StaffClientOptions = Parameters<typeof createStaffClient>[1]

/** The other screens of the administration do not wait for the library. */
const loadSocketIo: StaffClientOptions['loadIo'] = async () => (await import('socket.io-client')).io

/** One technician's connection to the chat: the list of conversations, and what can be done with each. */
export function createStaffSession(
  userId: number,
  onAlert: (alert: StaffAlert, state: ConsoleState) => void,
  {
    loadIo = loadSocketIo,
    storage,
    tabs = openSharingTabs(),
  }: Partial<Pick<StaffClientOptions, 'loadIo' | 'storage' | 'tabs'>> = {},
) {
  const listeners = new Set<() => void>()
  const claiming = new Set<number>()
  const claims = new Map<number, Promise<boolean>>()
  /** Changes of a conversation's tags, one after the other: each begins with what the one before left. */
  const tagging = new Map<number, Promise<boolean>>()
  /** Identifiers of mails that the server has not confirmed, by conversation and text. */
  const mails = new Map<string, string>()
  const drafts = createDrafts(userId)
  let state = emptyConsole

  function dispatch(action: ConsoleAction) {
    state = reduceConsole(state, action)
    for (const listener of listeners) listener()
  }

  const client = createStaffClient(userId, {
    loadIo,
    host: () => findHost('api'),
    withCredentials: true,
    storage,
    tabs,
    hooks: {
      onUnstored: () => dispatch({ type: 'unstored' }),
      onLink(link, refusal) {
        dispatch({ type: 'link', link, refusal })
        if (link !== 'up') return
        void loadChats()
        readServerTime().catch((error: unknown) => console.warn(error))
        getJson<ChatSettings>('/api/chat/settings').then(
          ({ silence_seconds: seconds }) => dispatch({ type: 'silence', seconds }),
          (error: unknown) => console.warn(error),
        )
      },
      onOpened(_id, { chat }) {
        dispatch({ type: 'chat', chat })
        return true
      },
      onOpenFailed(id, error) {
        fail(error, 'read')
        // The refusal of its texts puts them back into their fields.
        if (error.code === 'forbidden' || error.code === 'unknown_chat') client.retry(id)
      },
      onSendRefused(id, error) {
        const { code, userName } = error
        if (code === 'not_connected') return reconnect()
        const isFinal = code === 'closed' || code === 'taken' || code === 'answered'
        if (!isFinal && code !== 'forbidden' && code !== 'unknown_chat') return fail(error, 'send')
        // What cannot be sent any more goes back into its field, with what was to follow it.
        drafts.putBack(
          id,
          client.takeBack(id, (one) => !one.internal),
        )
        if (!isFinal) drafts.putBack(id, client.takeBack(id), 'note')
        if (code === 'answered') dispatch({ type: 'returned', id, userName })
        else if (code === 'forbidden') fail(error, 'send')
        void client.open(id)
      },
    },
  })

  client.on('staff:chat', (chat) => {
    const before = findChat(chat.id)
    if (!before && chat.status === 'waiting') alert({ type: 'chat', chat })
    const isTransferred = chat.id_user === userId && before?.id_user !== userId && !claiming.has(chat.id)
    const isOffered = chat.offer?.to.id_user === userId && before?.offer?.until !== chat.offer.until
    if (isOffered) alert({ type: 'offered', chat })
    else if (isTransferred && before && chat.status === 'claimed') alert({ type: 'transferred', chat })
    dispatch({ type: 'chat', chat })
    follow(chat)
  })
  const announced = new Map<number, number>()
  client.on('staff:new-message', (message) => {
    const chat = findChat(message.id)
    // An instance sends messages again after another one died.
    const isNew = !message.internal && message.seq > (announced.get(message.id) ?? 0)
    if (isNew) announced.set(message.id, message.seq)
    if (isNew && chat?.id_user === userId && !message.bz_staff) alert({ type: 'message', chat, message })
    dispatch({ type: 'written', id: message.id })
  })
  client.on('staff:erased', ({ id }) => {
    dispatch({ type: 'erased', id })
    client.forget(id)
    for (const kind of ['answer', 'note'] as const) drafts.write(id, kind, '')
  })
  client.on('staff:unanswered', ({ id }) => {
    const chat = findChat(id)
    if (chat?.status === 'waiting') alert({ type: 'unanswered', chat })
  })
  const release = (id: number, reason: ReleaseReason, userName = '') => dispatch({ type: 'released', id, reason, userName })
  client.on('staff:released', ({ id, reason, user_name: userName }) => release(id, reason, userName))
  client.on('staff:offer-ended', ({ id, from, to, result }) => {
    const chat = findChat(id)
    if (chat && from.id_user === userId && result !== 'withdrawn') alert({ type: result, chat, colleague: to.user_name })
  })
  client.on('staff:presence', (users) => dispatch({ type: 'presence', users }))
  client.on('staff:availability', (own) => dispatch({ type: 'availability', ...own }))
  client.on('staff:closing', ({ closes_at: closesAt }) => dispatch({ type: 'closing', closesAt }))
  client.on('staff:typing', ({ id }) => dispatch({ type: 'typing', id, at: Date.now() }))
  client.on('staff:answering', ({ id, user_name: name }) => dispatch({ type: 'answering', id, name, at: Date.now() }))

  const findChat = (id: number) => state.chats.find((one) => one.id === id)
  const alert = (one: StaffAlert) => onAlert(one, state)

  let listing: ReturnType<typeof setTimeout> | undefined

  /** Tries again where the list does not arrive: nothing is known before of who waits and whether one is available. */
  async function loadChats() {
    clearTimeout(listing)
    try {
      const listed = await client.request('staff:chats', { scope: 'all' })
      const before = ownChats(state.chats, userId)
      dispatch({ type: 'listed', ...listed })
      // The event that says so did not reach a laptop that slept.
      for (const { id } of before) if (findChat(id)?.status === 'waiting') release(id, 'left')
      for (const chat of ownChats(state.chats, userId)) follow(chat)
    } catch (error) {
      fail(error)
      const wait = error instanceof ChatError ? error.wait * 1_000 : 0
      listing = setTimeout(() => client.isUp() && void loadChats(), Math.max(wait, listRetryMs))
    }
  }

  const followed = new Set<number>()

  /** One's own conversations are read even where they are not open: how long a visitor waits is in their messages. */
  function follow(chat: StaffChat) {
    if (!isOwnChat(chat, userId)) return void followed.delete(chat.id)
    if (followed.has(chat.id)) return
    followed.add(chat.id)
    void client.open(chat.id)
  }

  async function restoreUnsent() {
    for (const id of await client.findStored()) await client.restore(Number(id))
  }

  function fail(error: unknown, operation: Operation = 'read') {
    console.warn(error)
    if (error instanceof ChatError && error.code === 'not_connected') return reconnect()
    // The console shows a lost connection all the time it lasts.
    if (operation === 'read' && error instanceof ChatError && error.code === 'silent' && !client.isUp()) return
    dispatch({ type: 'failed', failure: { operation, error: error instanceof ChatError ? error : new ChatError('broken') } })
  }

  /** The session ended under an open socket: a new handshake is refused, and the sign-in opens over the work. */
  const reconnect = () => client.isUp() && client.start()

  /** Shows that an operation is under way, then what came of it. Returns whether it succeeded. */
  async function run(operation: Operation, id: number, work: () => Promise<ConsoleAction>) {
    const key = operationKey(operation, id)
    if (state.pending.includes(key)) return false
    dispatch({ type: 'started', key })
    try {
      dispatch(await work())
      return true
    } catch (error) {
      fail(error, operation)
      return false
    } finally {
      dispatch({ type: 'ended', key })
    }
  }

  const request = (operation: Operation, event: 'staff:decline' | 'staff:reopen') => {
    return (id: number) => run(operation, id, async () => ({ type: 'chat', chat: (await client.request(event, { id })).chat }))
  }

  /** Assigns a conversation to oneself. A busy server may do so and confirm after the timeout: its state is read then. */
  async function take(event: 'staff:claim' | 'staff:take-over' | 'staff:accept', id: number) {
    try {
      return (await client.request(event, { id })).chat
    } catch (error) {
      if (!(error instanceof ChatError) || error.code !== 'silent' || !client.isUp()) throw error
      const { chat } = await client.request('staff:open', { id })
      if (!isOwnChat(chat, userId)) throw error
      return chat
    }
  }

  /** One that is on its way is waited for: an answer may follow it at once. */
  function claim(id: number) {
    const running = claims.get(id)
    if (running) return running
    const claimed = run('claim', id, async () => {
      claiming.add(id)
      try {
        return { type: 'chat', chat: await take('staff:claim', id) }
      } finally {
        claiming.delete(id)
      }
    }).finally(() => claims.delete(id))
    claims.set(id, claimed)
    return claimed
  }

  /** The messages after which the bell rang, by conversation. */
  const rung = new Map<number, string>()

  /** Calls the technician whose visitor has waited for too long: once, and for no visitor who left. */
  function ringAfterSilence(now: number) {
    for (const chat of ownChats(state.chats, userId)) {
      const since = unansweredSince(client.conversation(chat.id).messages)
      if (since === null || rung.get(chat.id) === since) continue
      const over = now - Date.parse(since) - state.silenceMs
      if (over < 0 || chat.visitor === 'gone') continue
      rung.set(chat.id, since)
      // After a reload it rang long ago.
      if (over < bellLateMs) alert({ type: 'silence', chat })
    }
  }

  const files = createOutgoingFiles(createFileUpload, (message) => client.receive(message))

  /** Sends the answer that stands in the field and its files; refused where a colleague answered since. */
  function sendAnswer(id: number, text: string) {
    files.send(id)
    if (!text) return
    const after_seq = client.conversation(id).messages.at(-1)?.seq ?? 0
    client.send(id, text, { after_seq })
    drafts.remove(id, 'answer', text)
  }

  return {
    client,
    drafts,
    files,
    ringAfterSilence,
    read: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      client.start()
      restoreUnsent().catch(fail)
    },
    stop() {
      clearTimeout(listing)
      client.stop()
    },
    /** Shows why an operation failed. */
    fail,
    dismissFailure: () => dispatch({ type: 'failed', failure: null }),

    isClaiming: (id: number) => claiming.has(id),
    claim,
    takeOver: (id: number) => run('takeOver', id, async () => ({ type: 'chat', chat: await take('staff:take-over', id) })),
    accept: (id: number) => run('accept', id, async () => ({ type: 'chat', chat: await take('staff:accept', id) })),
    decline: request('decline', 'staff:decline'),
    reopen: request('reopen', 'staff:reopen'),
    sendAnswer,
    /** The answer leaves with its files once the chat is won; otherwise it stays in its field. */
    async claimAndAnswer(id: number, text: string) {
      const key = operationKey('answer', id)
      if (state.pending.includes(key)) return false
      dispatch({ type: 'started', key })
      try {
        const isWon = await claim(id)
        if (isWon) sendAnswer(id, text)
        return isWon
      } finally {
        dispatch({ type: 'ended', key })
      }
    },
    /** Leaves a note, which was written as one or as an answer. */
    addNote(id: number, text: string, writtenAs: DraftKind = 'note') {
      client.send(id, text, { internal: true })
      drafts.remove(id, writtenAs, text)
    },
    /** Mails an answer. However often it is tried, and from whichever pane, the server sends one text once. */
    async mailAnswer(id: number, text: string) {
      const key = `${id} ${text}`
      const clientId = mails.get(key) ?? makeClientId()
      mails.set(key, clientId)
      dispatch({ type: 'started', key: operationKey('mail', id) })
      try {
        const sent = { text, client_id: clientId }
        const { reference } = await callApi<LinkedRequest>('POST', `/api/chat/chats/${id}/mail`, sent)
        mails.delete(key)
        drafts.remove(id, 'answer', text)
        return reference
      } finally {
        dispatch({ type: 'ended', key: operationKey('mail', id) })
      }
    },
    close: (id: number) => run('close', id, async () => ({ type: 'chat', chat: (await client.close(id)).chat })),
    async transfer(id: number, toUserId: number, note = '') {
      const isOffered = await run('transfer', id, async () => {
        return { type: 'chat', chat: (await client.request('staff:transfer', { id, id_user: toUserId, note })).chat }
      })
      // Its dialog has closed: what was written there waits in the field for notes.
      if (!isOffered && note && note !== drafts.read(id, 'answer').trim()) drafts.putBack(id, [note], 'note')
      return isOffered
    },
    changeTags(id: number, change: (tags: readonly string[]) => string[]) {
      const before = tagging.get(id) ?? Promise.resolve(true)
      const changed = before.then(() =>
        run('tags', id, async () => {
          const tags = change(findChat(id)?.tags ?? [])
          return { type: 'chat', chat: (await client.request('staff:tags', { id, tags })).chat }
        }),
      )
      tagging.set(id, changed)
      return changed
    },
    setAvailable: (available: boolean) =>
      run('availability', 0, async () => {
        return { type: 'availability', ...(await client.request('staff:availability', { available })) }
      }),
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
