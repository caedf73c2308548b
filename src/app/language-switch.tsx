import type { MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage, languages, locales, requestedLanguage } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import { storeLanguage } from '#src/ui/page/preferences.ts'

const names: Record<Language, string> = { fr: 'FR, Français', en: 'EN, English' }

/** Links to the same page in each language; with JavaScript the choice is stored, and the address carries it. */
export function LanguageSwitch() {
  const t = useTexts(texts)
  const current = useLanguage()
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()

  const handleClick = (event: MouseEvent, language: Language) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    storeLanguage(language)
    // In the administration the stored choice is enough, because lists use the query themselves.
    const isInAddress = pathname.startsWith('/admin') ? requestedLanguage(search) !== null : language !== defaultLanguage
    const chosen = isInAddress ? language : null
    void navigate(addressInLanguage(pathname + search + hash, chosen), { replace: true, preventScrollReset: true })
  }

  return (
    <div role="group" aria-label={t('languageSwitch')} className="flex rounded-full bg-surface p-0.5 text-xs font-bold">
      {languages.map((language) => (
        <a
          key={language}
          href={addressInLanguage(pathname + search, language)}
          hrefLang={language}
          lang={locales[language]}
          aria-label={names[language]}
          aria-current={language === current ? 'true' : undefined}
          className="rounded-full px-2.5 py-1 hover:underline aria-current:bg-ink aria-current:text-paper"
          onClick={(event) => handleClick(event, language)}
        >
          {language.toUpperCase()}
        </a>
      ))}
    </div>
  )
}
