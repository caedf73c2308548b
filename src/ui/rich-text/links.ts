/** Addresses the server keeps (docs/api.md#rich-text): the web, e-mail, telephone, and pages of this site. */
export function isAllowedLink(address: string) {
  return /^(?:https?:\/\/[^\s/]|mailto:[^\s@]+@[^\s@]|tel:[+\d(]|\/(?!\/))/i.test(address)
}

/** What somebody typed as a link's address, made whole; null where it leads nowhere. */
export function completeLink(typed: string) {
  const text = typed.trim()
  if (isAllowedLink(text)) return text
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`
  if (/^\+?[\d\s().-]{7,}$/.test(text)) return `tel:${text.replaceAll(/[^\d+]/g, '')}`
  if (/^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[/?#:]\S*)?$/u.test(text)) return `https://${text}`
  return null
}
