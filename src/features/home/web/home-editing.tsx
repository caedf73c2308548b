import './home-editing.css'
import type { KeyboardEvent, ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { publicationTexts } from '#src/features/content/texts.ts'
import { useStateText } from '#src/features/content/web/publication-fields.tsx'
import type { Profile } from '#src/features/people/contract.ts'
import { profileStorageKey } from '#src/features/people/values.ts'
import { checkConnection } from '#src/features/people/sign-in/web/session.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages, locales, otherLanguage } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { tabStorage } from '#src/ui/storage.ts'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeInformation, HomeMessage } from '../contract.ts'
import { reasonForDraftBanner, reasonForDraftPanel } from '../contract.ts'
import type { HomeDraft } from './home-notices.tsx'
import { draftOfInformation, draftOfMessage } from './home-notices.tsx'

const emptyDraft: HomeDraft = {
  id: null,
  version: undefined,
  title: '',
  title_en: '',
  text: '',
  text_en: '',
  publie: true,
  opens_on: null,
  closes_on: null,
}

export type HomeEditingProps = {
  message: HomeMessage | undefined
  information: HomeInformation | undefined
  /** Renders the page: the drafts, in the place of each its editor while it is edited, and the bar below it. */
  children: (shown: {
    message: HomeDraft | null
    information: HomeDraft | null
    messageEditor?: ReactNode
    informationEditor?: ReactNode
    messageTools?: ReactNode
    informationTools?: ReactNode
  }) => ReactNode
}

/** For display only; the server checks the right. A new tab knows only that somebody signed in, and asks. */
export async function mayWriteHome() {
  const profile = readProfile() ?? (await checkConnection())
  return profile !== null && hasRight(profile.rights, 'home', 'read_write')
}

function readProfile() {
  try {
    return JSON.parse(tabStorage.read(profileStorageKey) ?? 'null') as Profile | null
  } catch {
    return null
  }
}

/** Edits the banner and the information panel where they stand; a draft stays in the page until it is published. */
export function HomeEditing({ message, information, children }: HomeEditingProps) {
  const t = useTexts(adminHomeTexts)
  const banner = useHomeDraft(message ? draftOfMessage(message) : null, {
    title: t('messageTitle'),
    none: t('noMessage'),
    reasonOf: ({ text, title, title_en }) => reasonForDraftBanner({ message: text, title, title_en }),
    publish: ({ text, text_en, ...rest }) =>
      publish('/api/home_messages/home_message', { ...rest, message: text, message_en: text_en }),
  })
  const panel = useHomeDraft(information ? draftOfInformation(information) : null, {
    title: t('informationTitle'),
    none: t('noInformation'),
    reasonOf: ({ text, text_en, ...rest }) => reasonForDraftPanel({ ...rest, description: text, description_en: text_en }),
    publish: ({ text, text_en, ...rest }) =>
      publish('/api/home_informations/home_information', { ...rest, description: text, description_en: text_en }),
  })
  return (
    <>
      {children({
        message: banner.draft,
        information: panel.draft,
        messageEditor: banner.isOpen && (
          <div className="bg-alarm">
            <div className="wrap py-4">
              <DraftEditor edited={banner} label={t('message')} />
            </div>
          </div>
        ),
        informationEditor: panel.isOpen && (
          <div className="rounded-card bg-brand-soft p-4">
            <DraftEditor edited={panel} label={t('description')} />
          </div>
        ),
        messageTools: !banner.isOpen && <EditBar edited={banner} />,
        informationTools: !panel.isOpen && <EditBar edited={panel} />,
      })}
      <LeaveGuard when={banner.isEdited || panel.isEdited} />
    </>
  )
}

type Stored = Pick<HomeMessage, 'state' | 'opens_on' | 'closes_on'>

function publish(path: string, { id, ...body }: Pick<HomeDraft, 'id'> & Record<string, unknown>) {
  return id === null ? callApi<Stored>('POST', path, body) : callApi<Stored>('PUT', `${path}/${id}`, body)
}

/** What visitors see was open when the page was loaded; its end, if it has one, may have passed since. */
const scheduleOf = ({ opens_on, closes_on }: HomeDraft): Stored => ({
  state: closes_on && Date.parse(closes_on) <= Date.now() ? 'closed' : 'open',
  opens_on,
  closes_on,
})

type EditedDraft = ReturnType<typeof useHomeDraft>

type DraftOptions = {
  title: string
  /** Said where there is none. */
  none: string
  /** Why it would stay a draft; null where it would be public. */
  reasonOf: (draft: HomeDraft) => 'title' | 'text' | null
  publish: (draft: HomeDraft) => Promise<Stored>
}

/** A draft changes this page only, until it is published with the version that it is based on. */
function useHomeDraft(stored: HomeDraft | null, { title, none, reasonOf, publish: send }: DraftOptions) {
  const { revalidate } = useRevalidator()
  const [edited, setEdited] = useState<HomeDraft | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Failure | Stored | null>(null)
  const isConflict = outcome === 'conflict'
  const { id, version, opens_on, closes_on } = stored ?? emptyDraft
  const draft = edited ?? stored

  const handlePublish = async () => {
    if (!edited) return setOpen(false)
    setBusy(true)
    setOutcome(null)
    const given = { ...edited, publie: true }
    try {
      const saved = await send(isConflict ? { ...given, id, version, opens_on, closes_on } : given)
      setEdited(null)
      setOpen(false)
      setOutcome(saved)
    } catch (error) {
      console.warn(error)
      setOutcome(failureOf(error))
    } finally {
      setBusy(false)
      // Also after a conflict: a second attempt overwrites the version loaded here.
      await revalidate()
    }
  }

  return {
    title,
    none,
    draft,
    busy,
    isOpen,
    wasOpen,
    isConflict,
    outcome,
    isEdited: edited !== null,
    reason: edited && reasonOf(edited),
    change: (changes: Partial<HomeDraft>) => setEdited((current) => ({ ...(current ?? stored ?? emptyDraft), ...changes })),
    open: () => {
      setOutcome(null)
      setOpen(true)
      setWasOpen(true)
    },
    close: () => setOpen(false),
    drop: () => {
      setEdited(null)
      setOutcome(null)
      setOpen(false)
    },
    publish: () => void handlePublish(),
  }
}

type DraftEditorProps = { edited: EditedDraft; label: string }

/** The editor in the place of what it edits: a tab for each language, then publish and cancel beside them. */
function DraftEditor({ edited, label }: DraftEditorProps) {
  const t = useTexts(adminHomeTexts)
  const d = useTexts(publicationTexts)
  const stateOf = useStateText()
  const shown = useLanguage()
  const [language, setLanguage] = useState(shown)
  const id = useId()
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    region.current?.focus()
  }, [])
  const draft = edited.draft ?? emptyDraft
  const title = language === 'fr' ? 'title' : 'title_en'
  const text = language === 'fr' ? 'text' : 'text_en'
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('editOf', { title: edited.title })}
      className="in-place grid gap-4 rounded-card bg-surface p-4 text-ink"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <LanguageTabs id={id} language={language} onChange={setLanguage} />
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onClick={edited.drop}>
            {t('cancel')}
          </Button>
          <Button variant="secondary" size="small" aria-label={t('showInPage')} onClick={edited.close}>
            {t('see')}
          </Button>
          <Button size="small" busy={edited.busy} onClick={edited.publish}>
            {t(edited.isConflict ? 'publishAnyway' : 'publish')}
          </Button>
        </div>
      </div>
      <Outcome edited={edited} />
      {draft.closes_on && <p className="text-sm text-ink-2">{stateOf(scheduleOf(draft))}</p>}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${language}`} className="grid gap-4">
        <TextField
          label={t('title')}
          value={draft[title]}
          lang={locales[language]}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => edited.change({ [title]: event.target.value })}
        />
        <RichTextField
          key={language}
          label={label}
          lang={locales[language]}
          value={draft[text]}
          onChange={(html) => edited.change({ [text]: html })}
        />
      </div>
      <p role="status" className="text-sm text-ink-2 empty:hidden">
        {edited.reason && d(edited.reason === 'title' ? 'needsTitle' : 'needsText')}
      </p>
    </section>
  )
}

type LanguageTabsProps = { id: string; language: Language; onChange: (language: Language) => void }

function LanguageTabs({ id, language, onChange }: LanguageTabsProps) {
  const t = useTexts(adminHomeTexts)
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const next = otherLanguage(language)
    onChange(next)
    document.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next}`)}`)?.focus()
  }
  return (
    <div role="tablist" aria-label={t('languages')} className="flex gap-1">
      {languages.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`${id}-${one}`}
          aria-selected={one === language}
          aria-controls={`${id}-panel`}
          tabIndex={one === language ? 0 : -1}
          className="in-place-tab"
          onClick={() => onChange(one)}
          onKeyDown={handleKey}
        >
          {t(one)}
        </button>
      ))}
    </div>
  )
}

/** Below what can be edited: whether visitors see it as it is here, and Modifier. */
function EditBar({ edited }: { edited: EditedDraft }) {
  const t = useTexts(adminHomeTexts)
  const stateOf = useStateText()
  const { title, none, draft, isEdited, isConflict, wasOpen } = edited
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The editor, or the pressed button, is gone with the focus that it had.
    if (wasOpen && document.activeElement === document.body) button.current?.focus()
  }, [wasOpen, isEdited])
  const isEmpty = !draft || (isBlankHtml(draft.text) && isBlankHtml(draft.text_en))
  return (
    <section
      aria-label={t('editOf', { title })}
      className="my-4 rounded-card border-2 border-dashed border-edge px-5 py-3 print:hidden"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="grow text-sm text-ink-2">
          <strong className="text-ink">{title}</strong>
          <span>{` · ${isEdited ? t('onlyHere') : isEmpty ? none : t('asPublished')}`}</span>
          {draft?.closes_on && <span>{` · ${stateOf(scheduleOf(draft))}`}</span>}
        </p>
        <Button
          ref={button}
          variant="secondary"
          size="small"
          aria-label={t(isEmpty ? 'writeOf' : 'editOf', { title })}
          onClick={edited.open}
        >
          {t(isEmpty ? 'write' : 'edit')}
        </Button>
        {isEdited && (
          <>
            <Button variant="secondary" size="small" onClick={edited.drop}>
              {t('drop')}
            </Button>
            <Button size="small" busy={edited.busy} onClick={edited.publish}>
              {t(isConflict ? 'publishAnyway' : 'publish')}
            </Button>
          </>
        )}
      </div>
      <Outcome edited={edited} />
    </section>
  )
}

/** What became of publishing. */
function Outcome({ edited: { outcome, isConflict } }: { edited: EditedDraft }) {
  const t = useTexts(adminHomeTexts)
  const f = useTexts(failureTexts)
  const stateOf = useStateText()
  const isDone = typeof outcome === 'object' && outcome !== null
  const describeSaved = (saved: Stored) => {
    if (saved.state === 'open') return t('published')
    return saved.state === 'draft' ? t('keptAsDraft') : stateOf(saved)
  }
  const words = [outcome && (isDone ? describeSaved(outcome) : f(outcome))]
  return (
    <p
      role="alert"
      className={`empty:hidden ${isDone && outcome.state !== 'closed' ? 'text-sm text-ok' : 'text-sm font-bold text-err'}`}
    >
      {[...words, isConflict && t('afterConflict')].filter(Boolean).join(' ')}
    </p>
  )
}
