// Apart from the other values: every public page needs these and none of those.

/** Session storage key of the visitor's chat id (spec.md 3 names none). */
export const chatIdStorageKey = 'id_chat'
/** The same while nobody answers or the server cannot be reached: it is gone on with as soon as that is over. */
export const resumeStorageKey = 'chat_to_resume'
/** The chat as a page for a frame on another site (spec.md 7). */
export const chatFramePath = '/webchat/html/chat.html'

/** Name of the page's tag that holds CHAT_URL (contract.md 2). */
export const chatHostMeta = 'chat-host'

/** Where the chat lives when it has its own host; empty where that is this one. */
export function chatHost() {
  const told = document.querySelector<HTMLMetaElement>(`meta[name=${chatHostMeta}]`)?.content ?? ''
  return told === location.origin ? '' : told
}
