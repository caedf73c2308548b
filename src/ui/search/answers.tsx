import { useEffect, useRef, useState } from 'react'
import { locales } from '#src/lib/language/language.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import type { SearchResult } from '#src/lib/schemas.ts'
import { callApi, getJson } from '../api.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { AlertIcon } from '../components/icons.tsx'
import { Link } from '../components/link.tsx'
import { useLanguage, useTexts } from '../language.tsx'
import { openChatEvent } from '../page/public-context.ts'
import { RichText } from '../rich-text/rich-text.tsx'
import { noteRead, readPages } from '../storage.ts'
import { MarkedTitle, marksClass, unshownWords } from './marked.tsx'

export const answersTexts = defineTexts({
  fr: {
    found: '{count} {count|réponse|réponses}',
    maybe: 'Peut-être déjà la réponse',
    none: 'Aucune réponse pour ces mots. Ils nous aident à écrire ce qui manque.',
    all: 'Tous les résultats',
    nothingHelps: 'Rien qui vous aide?',
    chat: 'Clavarder',
    serviceCall: 'Appel de service',
    free: 'Vous pouvez parler à quelqu’un tout de suite : rien de ceci n’est obligatoire.',
    back: 'Retour',
    shared: 'Le technicien verra que vous avez lu cet article.',
    failed: 'L’article n’a pas pu être affiché. Réessayez, ou parlez à un technicien.',
    foundBy: 'Correspond à : {words}',
    incident: 'Panne en cours',
    article: 'Article d’aide',
    page: 'Page',
    tutorial: 'Vidéo',
    job: 'Emploi',
    notice: 'Avis de service',
  },
  en: {
    found: '{count} {count|answer|answers}',
    maybe: 'The answer may be here',
    none: 'No answers for these words. They help us write what is missing.',
    all: 'All results',
    nothingHelps: 'Nothing that helps?',
    chat: 'Chat',
    serviceCall: 'Service call',
    free: 'You can talk to somebody right away: none of this is required.',
    back: 'Back',
    shared: 'The technician will see that you have read this article.',
    failed: 'The article could not be shown. Try again, or talk to a technician.',
    foundBy: 'Matches: {words}',
    incident: 'Outage in progress',
    article: 'Help article',
    page: 'Page',
    tutorial: 'Video',
    job: 'Job',
    notice: 'Service notice',
  },
})

const pause = 150
/** The search takes no more. */
const longest = 200

export type AnswersProps = {
  text: string
  /** `search`: a field of its own, with arrow keys, and a person at the end. `chat`: articles open in place, all else elsewhere. */
  place: 'search' | 'form' | 'chat'
}

/** What the search finds for a text while it is typed: three at most, in a field of its own five. */
export function Answers({ text, place }: AnswersProps) {
  const t = useTexts(answersTexts)
  const [opened, setOpened] = useState<SearchResult | null>(null)
  const [before] = useState(place === 'chat' ? readPages : [])
  const { results, isAnswered } = useResults(text, place === 'search' ? 5 : 3, before)
  const [closedAt, setClosedAt] = useState<string>()
  const list = useArrowKeys(place === 'search', () => setClosedAt(text))
  if (opened) return <OpenedArticle result={opened} onBack={() => setOpened(null)} />
  const isShown = isAnswered && closedAt !== text && (place === 'search' || results.length > 0)
  return (
    <div ref={list} className={place === 'search' && isShown ? 'card grid gap-1 p-3' : 'grid gap-2'}>
      <p role="status" className="text-sm font-bold text-ink-2 empty:hidden">
        {isShown && (results.length === 0 ? t('none') : place === 'search' ? t('found', { count: results.length }) : t('maybe'))}
      </p>
      {isShown && (
        <>
          <ul className="grid gap-2">
            {results.map((one) => (
              <li key={one.kind + one.url + one.title}>
                <Answer result={one} place={place} onOpen={setOpened} />
              </li>
            ))}
          </ul>
          {place === 'search' && <LastRow text={text} hasResults={results.length > 0} />}
          {place === 'chat' && <p className="text-sm text-ink-2">{t('free')}</p>}
        </>
      )}
    </div>
  )
}

type AnswerProps = Pick<AnswersProps, 'place'> & { result: SearchResult; onOpen: (result: SearchResult) => void }

function Answer({ result, place, onOpen }: AnswerProps) {
  const t = useTexts(answersTexts)
  const lang = useLang(result)
  const isElsewhere = place === 'chat' && result.kind !== 'article'
  const isUrgent = result.kind === 'incident'
  const words = unshownWords(result)
  return (
    <Link
      to={result.url}
      lang={lang}
      data-answer=""
      target={isElsewhere ? '_blank' : undefined}
      className={`card block px-4 py-3 hover:bg-brand-soft ${isUrgent ? 'bg-warn-soft' : ''}`}
      onClick={(event) => {
        if (place !== 'chat' || isElsewhere) return
        event.preventDefault()
        onOpen(result)
      }}
    >
      <span className="flex items-center gap-2 text-sm text-ink-2">
        {isUrgent && <AlertIcon size={18} className="text-warn" />}
        <span>{t(result.kind)}</span>
      </span>
      <span className="block font-bold text-ink wrap-anywhere">
        <MarkedTitle result={result} />
      </span>
      {place !== 'chat' && <RichText html={result.excerpt} className={`text-sm text-ink-2 ${marksClass}`} />}
      {words && <span className="block text-sm text-ink-2">{t('foundBy', { words })}</span>}
    </Link>
  )
}

/** A person, and the page of all results. */
function LastRow({ text, hasResults }: { text: string; hasResults: boolean }) {
  const t = useTexts(answersTexts)
  return (
    <div className="flex flex-wrap items-center gap-3 border-t-2 border-dashed border-line pt-3">
      <span className="me-auto font-bold">{t('nothingHelps')}</span>
      {hasResults && (
        <Link to={`/recherche?q=${encodeURIComponent(text)}`} data-answer="" className="text-brand underline">
          {t('all')}
        </Link>
      )}
      <Button size="small" data-answer="" onClick={() => window.dispatchEvent(new CustomEvent(openChatEvent))}>
        {t('chat')}
      </Button>
      <ButtonLink to="/appel-de-service" size="small" variant="secondary" data-answer="">
        {t('serviceCall')}
      </ButtonLink>
    </div>
  )
}

type Text = { id_article: number; corps: string; corps_en: string }

/** An article within the chat. */
function OpenedArticle({ result, onBack }: { result: SearchResult; onBack: () => void }) {
  const t = useTexts(answersTexts)
  const lang = useLang(result)
  const heading = useRef<HTMLHeadingElement>(null)
  const [html, setHtml] = useState('')
  const [isFailed, setFailed] = useState(false)
  const { url, language } = result
  useEffect(() => {
    heading.current?.focus()
    const left = new AbortController()
    getJson<Text>(`/api/articles/articles/at/${encodeURIComponent(url.slice(url.lastIndexOf('/') + 1))}`, left.signal).then(
      ({ id_article, corps, corps_en }) => {
        setHtml((language === 'en' && corps_en) || corps)
        if (noteRead(url)) callApi('POST', `/public_api/articles/${id_article}/read`).catch(console.warn)
      },
      (error: unknown) => {
        if (left.signal.aborted) return
        console.error(error)
        setFailed(true)
      },
    )
    return () => left.abort()
  }, [url, language])
  return (
    <section className="grid gap-2" lang={lang}>
      <Button variant="quiet" size="small" className="justify-self-start" onClick={onBack}>
        {t('back')}
      </Button>
      <h3 ref={heading} tabIndex={-1} className="outline-none">
        {result.title}
      </h3>
      {isFailed ? (
        <p role="alert" className="text-err">
          {t('failed')}
        </p>
      ) : (
        <RichText html={html} />
      )}
      <p className="text-sm text-ink-2">{t('shared')}</p>
    </section>
  )
}

function useLang({ language }: SearchResult) {
  return language === useLanguage() ? undefined : locales[language]
}

/**
 * The results for a text once nobody types for a moment, without the pages read `before`; none where the search does not
 * answer.
 */
function useResults(text: string, limit: number, before: readonly string[]) {
  const language = useLanguage()
  const [found, setFound] = useState<{ results: SearchResult[]; isAnswered: boolean }>({ results: [], isAnswered: false })
  const q = text.trim().replaceAll(/\s+/g, ' ').slice(0, longest)
  useEffect(() => {
    const left = new AbortController()
    const timer = setTimeout(() => {
      getJson<SearchResult[]>(
        `/public_api/search?${String(new URLSearchParams({ q, language, limit: String(limit + before.length) }))}`,
        left.signal,
      ).then(
        (all) => {
          const results = all.filter(({ url }) => !before.includes(url)).slice(0, limit)
          setFound({ results, isAnswered: true })
        },
        (error: unknown) => {
          if (left.signal.aborted) return
          // The form beside it works without answers.
          console.warn(error)
          setFound({ results: [], isAnswered: false })
        },
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [q, language, limit, before])
  return found
}

/** Arrow keys move between the field and what was found, Escape closes it. */
function useArrowKeys(isWanted: boolean, onEscape: () => void) {
  const list = useRef<HTMLDivElement>(null)
  const escape = useRef(onEscape)
  escape.current = onEscape
  useEffect(() => {
    const form = isWanted ? list.current?.closest('form') : null
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') escape.current()
      if (!form || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
      const places = [...form.querySelectorAll<HTMLElement>('[type=search], [data-answer]')]
      const at = places.findIndex((one) => one === document.activeElement)
      const next = at === -1 ? undefined : places[at + (event.key === 'ArrowDown' ? 1 : -1)]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    form?.addEventListener('keydown', handleKey)
    return () => form?.removeEventListener('keydown', handleKey)
  }, [isWanted])
  return list
}
