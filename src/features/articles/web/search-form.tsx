import { useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { SearchIcon } from '#src/ui/components/icons.tsx'
import { useCarriedLanguage } from '#src/ui/components/link.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { LateAnswers } from '#src/ui/search/late-answers.tsx'
import { texts } from '../texts.ts'

/** Leads to `/recherche`, with and without JavaScript; with it, answers come while one types. */
export function SearchForm({ words = '' }: { words?: string }) {
  const t = useTexts(texts)
  const language = useCarriedLanguage()
  const [typed, setTyped] = useState('')
  return (
    <search className="print:hidden">
      <form action="/recherche" className="flex max-w-2xl flex-wrap items-end gap-3">
        {language && <input type="hidden" name="lang" value={language} />}
        <label className="grid grow gap-1 font-bold">
          <span>{t('searchLabel')}</span>
          <input
            type="search"
            name="q"
            className="input"
            defaultValue={words}
            key={words}
            maxLength={200}
            autoComplete="off"
            required
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <Button type="submit">
          <SearchIcon />
          <span>{t('search')}</span>
        </Button>
        <div className="w-full empty:hidden">
          <LateAnswers text={typed} place="search" />
        </div>
      </form>
    </search>
  )
}
