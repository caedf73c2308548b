import type { ComponentProps } from 'react'
// oxlint-disable-next-line no-restricted-imports -- the one place that wraps it
import { Link as RouterLink, useLocation } from 'react-router'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, requestedLanguage, defaultLanguage } from '#src/lib/language/language.ts'
import { useLanguage } from '../language.tsx'

/** The language that links of this page carry, because the next page could not know it; staff's choice is stored. */
export function useCarriedLanguage(): Language | null {
  const language = useLanguage()
  const { pathname, search } = useLocation()
  if (pathname.startsWith('/admin')) return null
  return requestedLanguage(search) ?? (language === defaultLanguage ? null : language)
}

/** `prefetch` is not in the built site. */
type LinkProps = Omit<ComponentProps<typeof RouterLink>, 'prefetch'> & { to: string }

/** A link to another page of the site, in the language of this one. */
export function Link({ to, ...rest }: LinkProps) {
  const carried = useCarriedLanguage()
  return <RouterLink to={carried ? addressInLanguage(to, carried) : to} {...rest} />
}
