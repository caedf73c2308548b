import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useTexts, LanguageProvider } from '#src/ui/language.tsx'
import { entryTexts } from '../texts.ts'
import { languages, locales } from '#src/lib/language/language.ts'

type PreviewProps = {
  children: (language: Language) => ReactNode
  /** The English texts that are missing, in whose place the French is shown. */
  missing?: readonly string[]
}

/** Button that previews an entry as visitors will see it, in both languages, before it is saved. */
export function PreviewButton({ children, missing }: PreviewProps) {
  const e = useTexts(entryTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {e('preview')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} wide title={e('previewTitle')}>
        {isOpen && <PreviewPair missing={missing}>{children}</PreviewPair>}
      </Dialog>
    </>
  )
}

const titles = { fr: 'inFrench', en: 'inEnglish' } as const

const nothing: readonly string[] = []

/** An entry as visitors see it, in both languages side by side. */
export function PreviewPair({ children, missing = nothing }: PreviewProps) {
  const e = useTexts(entryTexts)
  return (
    // Links in the preview do not navigate: the user did not mean to leave the form.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps clicks from doing anything
    <div className="grid gap-8 lg:grid-cols-2" onClickCapture={(event) => event.preventDefault()}>
      {languages.map((language) => (
        <section key={language} aria-label={e(titles[language])} className="min-w-0">
          <p className="mb-3 text-sm font-bold text-ink-2">{e(titles[language])}</p>
          {language === 'en' && missing.length > 0 && (
            <p className="mb-3 flex flex-wrap items-center gap-2 text-sm">
              <Badge tone="warn">{e('englishMissing')}</Badge>
              <span>{e('shownInFrench', { fields: missing.join(', ') })}</span>
            </p>
          )}
          <div lang={locales[language]} className="preview">
            <LanguageProvider value={language}>{children(language)}</LanguageProvider>
          </div>
        </section>
      ))}
    </div>
  )
}

/** The labels of the French fields (`titre`) whose English (`titre_en`) is blank. */
export function missingEnglishOf<Values extends object>(
  values: Values,
  fields: readonly { key: keyof Values & string; label: string; isUnseen?: boolean }[],
) {
  const isBlank = (key: string) => isBlankHtml(String((values as Record<string, unknown>)[key] ?? ''))
  const keys = new Set<string>(fields.map(({ key }) => key))
  return fields
    .filter(({ key, isUnseen }) => !isUnseen && keys.has(`${key}_en`) && !isBlank(key) && isBlank(`${key}_en`))
    .map(({ label }) => label)
}
