import type { KeyboardEvent, MouseEvent } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useStaffChat } from '#src/features/chat/console/staff-chat.tsx'
import type { PaletteResult } from '#src/features/content/palette/contract.ts'
import { longestPaletteSearch } from '#src/features/content/values.ts'
import type { Profile } from '#src/features/people/contract.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales, otherLanguage } from '#src/lib/language/language.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { searchable } from '#src/lib/lists.ts'
import { getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { LockIcon, SearchIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { findRecent, PageMark } from './admin-rail.tsx'
import type { Option } from './palette-options.ts'
import { groups, keyOf, optionsOf, stillFound } from './palette-options.ts'
import './palette.css'

const paletteTexts = defineTexts({
  fr: {
    title: 'Palette de commandes',
    field: 'Chercher une page, une personne, une demande, une conversation, un élément ou une action',
    placeholder: 'Où aller, que faire, qui trouver?',
    results: 'Résultats',
    recent: 'Derniers endroits',
    act: 'Faire',
    go: 'Aller à',
    people: 'Personnes',
    work: 'Demandes et conversations',
    networks: 'Réseau',
    texts: 'Articles et textes',
    count: '{count} {count|résultat|résultats}',
    searching: 'Recherche…',
    none: 'Aucun résultat pour « {text} ». Essayez un nom, un numéro de demande ou un numéro de téléphone.',
    failed: 'La recherche n’a pas répondu. Les pages et les actions ci-dessus restent disponibles.',
    retry: 'Réessayer',
    close: 'Échap, fermer',
    closeShort: 'Fermer',
    escape: 'Échap',
    choose: 'choisir',
    open: 'ouvrir',
    newTab: 'nouvel onglet',
    enter: 'Entrée',
    locked: 'Lecture seule pour votre groupe',
  },
  en: {
    title: 'Command palette',
    field: 'Find a page, a person, a request, a conversation, a component or an action',
    placeholder: 'Where to go, what to do, who to find?',
    results: 'Results',
    recent: 'Last places',
    act: 'Do',
    go: 'Go to',
    people: 'People',
    work: 'Requests and conversations',
    networks: 'Network',
    texts: 'Articles and texts',
    count: '{count} {count|result|results}',
    searching: 'Searching…',
    none: 'No results for “{text}”. Try a name, a request number or a phone number.',
    failed: 'The search did not respond. The pages and actions above are still available.',
    retry: 'Try again',
    close: 'Esc, close',
    closeShort: 'Close',
    escape: 'Esc',
    choose: 'choose',
    open: 'open',
    newTab: 'new tab',
    enter: 'Enter',
    locked: 'Read only for your group',
  },
})

const pauseMs = 150
const ActIcon = pathIcon('M13 3 5 14h6l-1 7 8-11h-6z')

type PaletteProps = {
  profile: Profile
  /** What was typed before it was there. */
  typed: string
  onClose: () => void
}

/** The command palette: a combobox over everything that the user may do and open, in both languages at once. */
export default function Palette({ profile, typed, onClose }: PaletteProps) {
  const t = useTexts(paletteTexts)
  const language = useLanguage()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState(typed)
  const { results, state, retry } = useFound(text.trim())
  const [recent] = useState(() => findRecent(profile.id_user))
  const options = optionsOf(profile.rights, text, results, recent)
  const [chosen, setChosen] = useState<string | null>(null)
  const keys = options.map(keyOf)
  const active = Math.max(0, chosen === null ? 0 : keys.indexOf(chosen))
  // Closed by itself, the dialog gives the focus back to where it was.
  const close = () => dialog.current?.close()
  const open = useOpen(close)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const idOf = (index: number) => `${id}-${index}`
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const option = options[active]
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 }
    const step = steps[event.key]
    if (step !== undefined && options.length > 0) {
      const isPage = Math.abs(step) > 1
      const wrapped = (active + step + options.length) % options.length
      const next = isPage ? Math.min(Math.max(active + step, 0), options.length - 1) : wrapped
      setChosen(keys[next] ?? null)
      document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      if (option) open(option.path, event)
    } else return
    event.preventDefault()
  }
  const words = searchable(text).split(/\s+/).filter(Boolean)
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('title')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="palette-body">
        <div className="palette-field">
          <SearchIcon size={22} />
          <input
            type="text"
            role="combobox"
            // The dialog is there to be typed in.
            autoFocus
            aria-label={t('field')}
            aria-expanded={options.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={options.length > 0 ? idOf(active) : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={longestPaletteSearch}
            placeholder={t('placeholder')}
            value={text}
            onChange={(event) => {
              setText(event.target.value.slice(0, longestPaletteSearch))
              setChosen(null)
            }}
            onKeyDown={handleKey}
          />
          <button type="button" className="palette-key" aria-label={t('close')} onClick={close}>
            <span className="max-md:hidden">{t('escape')}</span>
            <span className="md:hidden">{t('closeShort')}</span>
          </button>
        </div>
        <div className="palette-found">
          <div id={`${id}-list`} role="listbox" aria-label={t('results')}>
            {groups.map((group) => {
              const own = options.filter((option) => option.group === group)
              if (own.length === 0) return null
              return (
                <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
                  <p id={`${id}-${group}`} className="palette-group" role="presentation">
                    {t(group)}
                  </p>
                  {own.map((option) => {
                    const index = options.indexOf(option)
                    return (
                      <PaletteOption
                        key={keyOf(option)}
                        id={idOf(index)}
                        option={option}
                        words={words}
                        language={language}
                        isActive={index === active}
                        onPoint={() => setChosen(keyOf(option))}
                        onOpen={(event) => open(option.path, event)}
                      />
                    )
                  })}
                </div>
              )
            })}
          </div>
          {state === 'failed' && (
            <p role="alert" className="palette-note text-err">
              <span>{t('failed')}</span>{' '}
              <Button variant="secondary" size="small" onClick={retry}>
                {t('retry')}
              </Button>
            </p>
          )}
          {state === 'answered' && options.length === 0 && <p className="palette-note">{t('none', { text: text.trim() })}</p>}
        </div>
        <div className="palette-foot">
          <p className="palette-keys" aria-hidden="true">
            <kbd className="palette-key">↑ ↓</kbd> <span>{t('choose')}</span> <kbd className="palette-key">{t('enter')}</kbd>{' '}
            <span>{t('open')}</span> <kbd className="palette-key">{`Ctrl ${t('enter')}`}</kbd> <span>{t('newTab')}</span>
          </p>
          <p role="status">{state === 'searching' ? t('searching') : t('count', { count: options.length })}</p>
        </div>
      </div>
    </dialog>
  )
}

type PaletteOptionProps = {
  id: string
  option: Option
  words: readonly string[]
  language: Language
  isActive: boolean
  onPoint: () => void
  onOpen: (event: MouseEvent) => void
}

function PaletteOption({ id, option, words, language, isActive, onPoint, onOpen }: PaletteOptionProps) {
  const { label, hint, page, group, isLocked = false } = option
  const t = useTexts(paletteTexts)
  const other = otherLanguage(language)
  // The second line that shows why it was found: in the other language, where the words are only there.
  const explains = (line: string) => words.every((word) => searchable(`${label[language]} ${line}`).includes(word))
  const second = [hint[language], label[other], hint[other]].find(explains) ?? hint[language]
  const isOther = second !== hint[language]
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="palette-option"
      onPointerMove={isActive ? undefined : onPoint}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span className="palette-mark" data-act={(group === 'act' && !isLocked) || undefined}>
        {isLocked ? (
          <LockIcon size={20} />
        ) : group === 'act' ? (
          <ActIcon size={20} />
        ) : (
          <PageMark path={page} label={label[language]} />
        )}
      </span>
      <span className="palette-text">
        <span className="palette-name">
          <Marked text={label[language]} words={words} />
        </span>
        {second && (
          <span className="palette-hint" lang={isOther ? locales[other] : undefined}>
            <Marked text={second} words={words} />
          </span>
        )}
        {isLocked && <span className="palette-hint">{t('locked')}</span>}
      </span>
    </div>
  )
}

/** A text with the words that matched, whatever their accents. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const characters = [...text.normalize('NFC')]
  const folded = characters.map((one) => searchable(one))
  const all = folded.join('')
  const isMarked = characters.map(() => false)
  const starts: number[] = []
  folded.forEach((one, index) => starts.push(...[...one].flatMap((part) => Array<number>(part.length).fill(index))))
  for (const word of words) {
    for (let at = all.indexOf(word); at !== -1; at = all.indexOf(word, at + word.length)) {
      for (let next = at; next < at + word.length; next += 1) isMarked[starts[next] ?? 0] = true
    }
  }
  const parts: { text: string; isMarked: boolean }[] = []
  characters.forEach((character, index) => {
    const last = parts.at(-1)
    if (last && last.isMarked === isMarked[index]) last.text += character
    else parts.push({ text: character, isMarked: isMarked[index] ?? false })
  })
  return (
    <bdi translate="no">
      {parts.map((part, index) => (part.isMarked ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>))}
    </bdi>
  )
}

/** Opens a place where it is chosen; with Ctrl, in another tab. */
function useOpen(onClose: () => void) {
  const navigate = useNavigate()
  const openInConsole = useStaffChat()?.openInConsole
  return (path: string, { ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }) => {
    if (ctrlKey || metaKey) {
      window.open(path, '_blank', 'noopener')
      return
    }
    onClose()
    const chat = /^\/admin\/chat\?chat=(\d+)$/.exec(path)?.[1]
    // On the page of the conversations, one more of them opens there.
    if (chat && openInConsole?.current) openInConsole.current(Number(chat))
    else if (path.startsWith('/admin/')) void navigate(path)
    else location.assign(path)
  }
}

/** What the server finds for a text, once nobody types for a moment. */
function useFound(q: string) {
  const [found, setFound] = useState({ q: '', results: [] as PaletteResult[], isFailed: false })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const left = new AbortController()
    if (q === '') {
      setFound({ q, results: [], isFailed: false })
      return
    }
    const timer = setTimeout(() => {
      getJson<PaletteResult[]>(`/api/palette?${String(new URLSearchParams({ q }))}`, left.signal).then(
        (results) => setFound({ q, results, isFailed: false }),
        (error: unknown) => {
          if (left.signal.aborted) return
          console.warn(error)
          setFound({ q, results: [], isFailed: true })
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [q, attempt])
  const isCurrent = found.q === q
  const state = isCurrent ? (found.isFailed ? ('failed' as const) : ('answered' as const)) : ('searching' as const)
  return { results: isCurrent ? found.results : stillFound(found.results, q), state, retry: () => setAttempt(attempt + 1) }
}
