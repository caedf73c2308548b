type Policy = { createHTML: (html: string) => unknown }
type TrustedTypes = { createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy }

const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes

/** The only policy that the Content-Security-Policy allows. */
const policy = trustedTypes?.createPolicy('guichet', { createHTML: (html) => html })

/**
 * Marks HTML as trusted: rich text that the server sanitized when it was saved (docs/api.md#rich-text), and structured data
 * without `<`. React accepts the object where it expects a string.
 */
export function trustHtml(html: string): string {
  return policy ? (policy.createHTML(html) as string) : html
}
