import { useEffect, useState } from 'react'
import { defineTexts } from '#src/lib/language/texts.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { CloseIcon } from '#src/ui/components/icons.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { CannedReply, Suggestion } from '../contract.ts'
import { mixSuggestions } from '../suggest-replies.ts'
import { textFor } from './canned-replies.tsx'

const suggestionTexts = defineTexts({
  fr: {
    title: 'Suggéré',
    label: 'Réponses suggérées',
    article: 'Article',
    hide: 'Masquer les suggestions dans cette conversation',
  },
  en: {
    title: 'Suggested',
    label: 'Suggested responses',
    article: 'Article',
    hide: 'Hide suggestions in this conversation',
  },
})

/** The articles that answer what the visitor asked last. */
export function useSuggestedArticles(idChat: number, asked: string) {
  const [articles, setArticles] = useState<Suggestion[]>([])
  useEffect(() => {
    setArticles([])
    if (asked.trim() === '') return
    const left = new AbortController()
    getJson<Suggestion[]>(`/api/chat/suggestions?chat=${idChat}`, left.signal).then(
      (found) => setArticles(found.filter(({ kind }) => kind === 'article')),
      // The saved replies are suggested without them.
      (error: unknown) => left.signal.aborted || console.warn(error),
    )
    return () => left.abort()
  }, [idChat, asked])
  return articles
}

type SuggestionsProps = {
  replies: CannedReply[]
  articles: Suggestion[]
  visitor: Language
  onPick: (text: string) => void
  onHide: () => void
}

/** Two at most; a press puts one into the field, and none leaves by itself. */
export function Suggestions({ replies, articles, visitor, onPick, onHide }: SuggestionsProps) {
  const t = useTexts(suggestionTexts)
  const language = useLanguage()
  const suggested = mixSuggestions(
    replies.map((reply) => {
      const { text, language: written } = textFor(visitor, reply)
      return { key: reply.shortcut, name: `/${reply.shortcut}`, shown: text, text, written }
    }),
    articles.map(({ id, title, text }) => ({ key: id, name: t('article'), shown: title, text, written: visitor })),
  )
  if (suggested.length === 0) return null
  return (
    <div className="console-suggestions" role="group" aria-label={t('label')}>
      <span className="text-ink-2 max-sm:sr-only">{t('title')}</span>
      <ul>
        {suggested.map(({ key, name, shown, text, written }, index) => (
          <li key={key}>
            <button
              type="button"
              className="console-suggestion"
              data-action={`suggestion${index + 1}`}
              aria-keyshortcuts={`Alt+${index + 1}`}
              // The field keeps the focus, and the keyboard of a phone stays open.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(text)}
            >
              <strong className="whitespace-nowrap">{name}</strong>
              <span className="console-excerpt text-ink-2" lang={written === language ? undefined : locales[written]}>
                {shown}
              </span>
              <kbd className="console-key">{`Alt+${index + 1}`}</kbd>
            </button>
          </li>
        ))}
      </ul>
      <IconButton label={t('hide')} icon={<CloseIcon size={16} />} onClick={onHide} />
    </div>
  )
}
