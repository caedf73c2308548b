/** Name of the page's tag that holds CHAT_URL (contract.md 2). */
export const chatHostMeta = 'chat-host'

/** Where the chat lives when it has its own host; empty where that is this one. */
export function chatHost() {
  const told = document.querySelector<HTMLMetaElement>(`meta[name=${chatHostMeta}]`)?.content ?? ''
  return told === location.origin ? '' : told
}
