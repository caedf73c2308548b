import { unwrapLink } from '#src/lib/text/redirects.ts'

/** Addresses the server allows (docs/api.md#rich-text): web, e-mail, phone, and pages of this site. */
export function isAllowedLink(address: string) {
  return /^(?:https?:\/\/[^\s/]|mailto:[^\s@]+@[^\s@]|tel:[+\d(]|\/(?!\/))/i.test(address)
}

/** Completes a typed link address; null where it is invalid. */
export function completeLink(typed: string) {
  const text = unwrapLink(typed.trim())
  if (isAllowedLink(text)) return text
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`
  if (/^\+?[\d\s().-]{7,}$/.test(text)) return `tel:${text.replaceAll(/[^\d+]/g, '')}`
  if (/^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[/?#:]\S*)?$/u.test(text)) return unwrapLink(`https://${text}`)
  return null
}
