import type { MetaDescriptor } from 'react-router'
import { company } from '#company/company.ts'
import { sharingTexts } from '#company/sharing.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales, otherLanguage } from '#src/lib/language/language.ts'

/** A page's own picture of 1200 by 630 pixels, with its text for readers who do not see it. */
export type SharePicture = { path: string; alt: string }

/** Open Graph tags. Rendered by the server only: sites that show link previews do not run scripts. */
export function shareTags(
  language: Language,
  fullTitle: string,
  description: string,
  origin: string,
  address: string,
  picture?: SharePicture,
): MetaDescriptor[] {
  const { path, alt } = picture ?? {
    path: `/share-${language}.png`,
    alt: sharingTexts[language].pictureAlt.replace('{name}', company.name),
  }
  return [
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: company.name },
    { property: 'og:url', content: address },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    { property: 'og:locale', content: locales[language].replace('-', '_') },
    { property: 'og:locale:alternate', content: locales[otherLanguage(language)].replace('-', '_') },
    { property: 'og:image', content: origin + path },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: alt },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}
