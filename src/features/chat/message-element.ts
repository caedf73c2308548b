import type { ReactNode } from 'react'
import { createElement } from 'react'
import { withLinks } from '#src/ui/components/linked-text.ts'

type MessageElementProps = {
  /** `staff` or `visitor`. */
  side: string
  isFailed?: boolean
  /** It follows another one of the same person: the name is for screen readers alone. */
  isGrouped?: boolean
  name: string
  text: ReactNode
  lang?: string | undefined
  sentAt: string
  time: string
  /** The delivery state, after the time. */
  children?: ReactNode
}

/** The markup of one message: in the panel, the HTML transcript and `/webchat/html/list-element.html`. */
export function MessageElement(props: MessageElementProps) {
  const { side, isFailed = false, isGrouped = false, name, text, lang, sentAt, time, children } = props
  return createElement(
    'li',
    { className: `message ${side}${isFailed ? ' failed' : ''}${isGrouped ? ' grouped' : ''}` },
    createElement('p', { className: 'name' }, name),
    createElement('div', { className: 'text', lang }, typeof text === 'string' ? withLinks(text) : text),
    createElement('p', { className: 'time' }, time && createElement('time', { dateTime: sentAt }, time), children),
  )
}
