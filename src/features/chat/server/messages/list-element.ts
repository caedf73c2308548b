import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MessageElement } from '../../message-element.ts'

const places = { side: '{side}', name: '{name}', text: '{text}', sentAt: '{sent_at}', time: '{time}' }

/** The markup of one message with places for what was said. */
export const listElement = renderToStaticMarkup(createElement(MessageElement, places))

export type ListElementValues = { side: 'staff' | 'visitor'; name: string; text: string; sent_at: string; time: string }

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)

export function fillListElement(values: ListElementValues) {
  return listElement.replaceAll(/\{(\w+)\}/g, (_whole, name: keyof ListElementValues) => escapeHtml(values[name]))
}
