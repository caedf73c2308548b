import type { texts } from '#src/ui/page/site-texts.ts'

type TextKey = Extract<keyof (typeof texts)['fr'], string>

export type MenuLink = { text: TextKey; to: string }
export type MenuSection = {
  text: TextKey
  /** A path under one of these makes the section the current one. */
  prefixes: string[]
  links: MenuLink[]
}

export const serviceLinks: MenuLink[] = [
  { text: 'cloud', to: '/cloud' },
  { text: 'itService', to: '/service' },
  { text: 'programming', to: '/programmation' },
  { text: 'equipment', to: '/infrastructure' },
]

export const companyLinks: MenuLink[] = [
  { text: 'about', to: '/about' },
  { text: 'team', to: '/team' },
  { text: 'wayOfLife', to: '/wayOfLife' },
  { text: 'privacy', to: '/about/personal_information' },
]

export const supportLinks: MenuLink[] = [
  { text: 'technicalSupport', to: '/support' },
  { text: 'help', to: '/aide' },
  { text: 'serviceCall', to: '/appel-de-service' },
  { text: 'telecomDocumentation', to: '/telecom/docs' },
]

export const menuSections: MenuSection[] = [
  { text: 'services', prefixes: serviceLinks.map((link) => link.to), links: serviceLinks },
  { text: 'company', prefixes: ['/about', '/team', '/wayOfLife'], links: companyLinks },
  { text: 'support', prefixes: ['/support', '/aide', '/appel-de-service', '/telecom'], links: supportLinks },
]

export function isUnder(pathname: string, prefix: string) {
  return pathname === prefix || pathname.startsWith(`${prefix}/`)
}

/** Value of `aria-current`: `page` for the page itself, `true` for a page below it. */
export function currentOf(pathname: string, to: string) {
  if (pathname === to) return 'page'
  return isUnder(pathname, to) ? true : undefined
}
