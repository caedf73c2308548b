import type { ReactNode } from 'react'
import { createElement } from 'react'

type MessageElementProps = {
  /** `staff` or `visitor`. */
  side: string
  isFailed?: boolean
  name: string
  text: ReactNode
  lang?: string | undefined
  sentAt: string
  time: string
  /** The delivery state, after the time. */
  children?: ReactNode
}

/** The markup of one message: in the panel, the HTML transcript and `/webchat/html/list-element.html`. */
export function MessageElement({ side, isFailed = false, name, text, lang, sentAt, time, children }: MessageElementProps) {
  return createElement(
    'li',
    { className: `message ${side}${isFailed ? ' failed' : ''}` },
    createElement('p', { className: 'name' }, name),
    createElement('div', { className: 'text', lang }, text),
    createElement('p', { className: 'time' }, time && createElement('time', { dateTime: sentAt }, time), children),
  )
}
