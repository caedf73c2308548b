import type { ConversationAction } from './conversation.ts'
import { reduceConversation } from './conversation.ts'
import { keepOutbox } from './visitor-sender.ts'
import { fresh } from './visitor-state.ts'
import type { ChatState } from './visitor-state.ts'
import { readKept, storedChatId } from './visitor-storage.ts'

/** What the panel shows of the conversation, and who hears of each change. */
export function createStore() {
  const listeners = new Set<() => void>()
  const idChat = storedChatId()
  let state: ChatState = {
    ...fresh,
    phase: idChat ? 'joining' : 'checking',
    idChat,
    availability: null,
    autoReply: readKept().autoReply,
    loginError: null,
    canAttach: false,
  }

  function set(change: Partial<ChatState>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  return {
    read: () => state,
    set,
    /** Changes the conversation, and keeps what of it is unsent. */
    talk(action: ConversationAction) {
      const conversation = reduceConversation(state.conversation, action)
      if (state.idChat) keepOutbox(state.idChat, state.conversation.unsent, conversation.unsent)
      set({ conversation })
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type Store = ReturnType<typeof createStore>
