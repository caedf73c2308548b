/** Told to the window by whatever wants the chat open; the launcher listens. */
export const openChatEvent = 'guichet:open-chat'

export function openChat() {
  window.dispatchEvent(new CustomEvent(openChatEvent))
}
