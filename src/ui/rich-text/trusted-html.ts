type Policy = { createHTML: (html: string) => unknown }
type TrustedTypes = { createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy }

const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes

/** The one policy that the Content-Security-Policy allows by name; a second one would be refused. */
const policy = trustedTypes?.createPolicy('guichet', { createHTML: (html) => html })

/**
 * Marks HTML as fit for the page. It is for rich text, which the server cleaned when it was written (docs/api.md#rich-text),
 * and for structured data, in which nothing is left to escape; React takes the object where it expects a string.
 */
export function trustHtml(html: string): string {
  return policy ? (policy.createHTML(html) as string) : html
}
