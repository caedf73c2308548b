/** Told to the window by whatever wants the chat open; the launcher listens. */
export const openChatEvent = 'guichet:open-chat'

/** What a button of the chat opens by itself, without a script, while the page's is on its way: the chat follows. */
export const chatAskedId = 'chat-asked'

export function openChat(event: { preventDefault: () => void }) {
  event.preventDefault()
  window.dispatchEvent(new CustomEvent(openChatEvent))
}
