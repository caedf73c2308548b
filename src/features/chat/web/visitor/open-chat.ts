import type { KeyboardEvent } from 'react'

/** Told to the window by whatever wants the chat open; the launcher listens. */
export const openChatEvent = 'guichet:open-chat'

/** What a tap shows while the page's script is on its way: the chat follows, or the form where no script comes. */
export const chatAskedId = 'chat-asked'

export function openChat(event: { preventDefault: () => void }) {
  event.preventDefault()
  window.dispatchEvent(new CustomEvent(openChatEvent))
}

/** For a link to the form that becomes a button of the chat once the page's script `isReady`. */
export function chatButton(isReady: boolean) {
  if (!isReady) return { 'data-chat': '' }
  return {
    role: 'button',
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== ' ') return
      event.preventDefault()
      event.currentTarget.click()
    },
  }
}
