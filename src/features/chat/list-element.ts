/** The markup of one message (spec.md 7), of the HTML transcript and of whoever asks for the template. */
export const listElement = `<li class="message {side}">
  <p class="name">{name}</p>
  <p class="text">{text}</p>
  <p class="time"><time datetime="{sent_at}">{time}</time></p>
</li>`

export type ListElementValues = { side: 'staff' | 'visitor'; name: string; text: string; sent_at: string; time: string }

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)

export function fillListElement(values: ListElementValues) {
  return listElement.replaceAll(/\{(\w+)\}/g, (_whole, name: keyof ListElementValues) => escapeHtml(values[name]))
}
