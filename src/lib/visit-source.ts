/** Where a tab's first page was opened from: its campaign, and the domain of the page that led there. */
export type VisitSource = { utm_source: string; utm_medium: string; utm_campaign: string; referrer: string }

declare global {
  /** Of this tab, set by the script within each public page (app/before-hydration.ts). */
  var visitSource: VisitSource | undefined
}

export const campaignMax = 60
export const referrerMax = 100
/** Neither markup nor control characters: campaigns are named in addresses, by anybody. */
export const unwantedInCampaign = /[^\w .~+:|\u00C0-\uD7FF-]/g

export const cleanCampaign = (text: string) => text.replaceAll(unwantedInCampaign, '').trim().slice(0, campaignMax).trim()

/** A domain in lower case without `www.`; empty for what is no address of a page. */
export function domainOf(referrer: string | undefined) {
  if (!referrer || !URL.canParse(referrer)) return ''
  const { hostname } = new URL(referrer)
  return /^[a-z\d.-]+$/.test(hostname) ? hostname.replace(/^www\./, '').slice(0, referrerMax) : ''
}

/** In one line, such as `infolettre-novembre, infolettre (courriel), example.com`; empty where nothing is known. */
export function sourceText(source: VisitSource | null | undefined) {
  if (!source) return ''
  const { utm_source: name, utm_medium: medium, utm_campaign: campaign, referrer } = source
  return [campaign, medium ? `${name} (${medium})`.trim() : name, referrer].filter(Boolean).join(', ')
}
