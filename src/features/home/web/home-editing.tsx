import type { ReactNode } from 'react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { locales } from '#src/lib/language/language.ts'
import { callApi } from '#src/ui/api.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeInformation, HomeMessage } from '../contract.ts'
import type { HomeDraft } from './home-notices.tsx'
import { draftOfInformation, draftOfMessage } from './home-notices.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'

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
  /** Renders the page with the current drafts. */
  children: (shown: {
    message: HomeDraft | null
    information: HomeDraft | null
    messageTools?: ReactNode
    informationTools?: ReactNode
  }) => ReactNode
}

/** Edits the banner and the information panel in place; a draft stays in the page until it is published. */
export function HomeEditing({ message, information, children }: HomeEditingProps) {
  const t = useTexts(adminHomeTexts)
  const editedMessage = useHomeDraft(message ? draftOfMessage(message) : null, ({ text, text_en, ...rest }) =>
    publish('/api/home_messages/home_message', { ...rest, message: text, message_en: text_en }),
  )
  const editedInformation = useHomeDraft(information ? draftOfInformation(information) : null, ({ text, text_en, ...rest }) =>
    publish('/api/home_informations/home_information', { ...rest, description: text, description_en: text_en }),
  )

  return (
    <>
      {children({
        message: editedMessage.draft,
        information: editedInformation.draft,
        messageTools: (
          <EditInPlace title={t('messageTitle')} {...editedMessage.tools}>
            <HomeDraftFields edited={editedMessage} label={t('message')} />
          </EditInPlace>
        ),
        informationTools: (
          <EditInPlace title={t('informationTitle')} {...editedInformation.tools}>
            <HomeDraftFields edited={editedInformation} label={t('description')} titleLabel={t('title')} />
          </EditInPlace>
        ),
      })}
      <LeaveGuard when={editedMessage.tools.isEdited || editedInformation.tools.isEdited} />
    </>
  )
}

function publish(path: string, { id, ...body }: Pick<HomeDraft, 'id'> & Record<string, unknown>) {
  return id === null ? callApi('POST', path, body) : callApi('PUT', `${path}/${id}`, body)
}

type HomeDraftFieldsProps = {
  edited: EditedDraft
  label: string
  /** Undefined where there is no title to edit. */
  titleLabel?: string
}

/** The draft in the language of the page; the other language does not change. */
function HomeDraftFields({ edited, label, titleLabel }: HomeDraftFieldsProps) {
  const language = useLanguage()
  const draft = edited.draft ?? emptyDraft
  const title = language === 'fr' ? 'title' : 'title_en'
  const text = language === 'fr' ? 'text' : 'text_en'
  return (
    <div className="grid gap-5">
      {titleLabel && (
        <TextField
          label={titleLabel}
          value={draft[title]}
          lang={locales[language]}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => edited.change({ [title]: event.target.value })}
        />
      )}
      <RichTextField
        key={language}
        label={label}
        lang={locales[language]}
        value={draft[text]}
        onChange={(html) => edited.change({ [text]: html })}
      />
    </div>
  )
}

type EditedDraft = ReturnType<typeof useHomeDraft>

/** A draft changes this page only, until it is published with the version that it is based on. */
function useHomeDraft(stored: HomeDraft | null, publish: (draft: HomeDraft) => Promise<unknown>) {
  const { revalidate } = useRevalidator()
  const [edited, setEdited] = useState<HomeDraft | null>(null)
  const { id, version } = stored ?? emptyDraft

  return {
    /** The entries as the page shows them. */
    draft: edited ?? stored,
    change: (changes: Partial<HomeDraft>) => setEdited((current) => ({ ...(current ?? stored ?? emptyDraft), ...changes })),
    tools: {
      isEdited: edited !== null,
      onDrop: () => setEdited(null),
      onPublish: async (anyway: boolean) => {
        if (!edited) return
        try {
          await publish(anyway ? { ...edited, id, version } : edited)
        } finally {
          // Also after a conflict: a second attempt overwrites the version loaded here.
          await revalidate()
        }
        setEdited(null)
      },
    },
  }
}

type EditInPlaceProps = {
  title: string
  /** True while the page shows an unpublished draft. */
  isEdited: boolean
  /** `anyway` overwrites what another user published in the meantime. */
  onPublish: (anyway: boolean) => Promise<void>
  onDrop: () => void
  /** Form fields; the page updates while they are edited. */
  children: ReactNode
}

/** Toolbar for staff below the edited part: Modifier, then Publier and Abandonner once something changed. */
function EditInPlace({ title, isEdited, onPublish, onDrop, children }: EditInPlaceProps) {
  const t = useTexts(adminHomeTexts)
  const f = useTexts(failureTexts)
  const [isOpen, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Failure | 'published' | null>(null)
  const isConflict = outcome === 'conflict'

  const handlePublish = async () => {
    setBusy(true)
    setOutcome(null)
    try {
      await onPublish(isConflict)
      setOutcome('published')
    } catch (error) {
      console.warn(error)
      setOutcome(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handleDrop = () => {
    setOutcome(null)
    onDrop()
  }

  return (
    <section
      aria-label={t('editOf', { title })}
      className="my-4 rounded-card border-2 border-dashed border-edge px-5 py-3 print:hidden"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="grow text-sm text-ink-2">
          <strong className="text-ink">{title}</strong>
          <span>{` · ${t(isEdited ? 'onlyHere' : 'asPublished')}`}</span>
        </p>
        <Button variant="secondary" size="small" aria-label={t('editOf', { title })} onClick={() => setOpen(true)}>
          {t('edit')}
        </Button>
        {isEdited && (
          <>
            <Button variant="secondary" size="small" onClick={handleDrop}>
              {t('drop')}
            </Button>
            <Button size="small" busy={busy} onClick={() => void handlePublish()}>
              {t(isConflict ? 'publishAnyway' : 'publish')}
            </Button>
          </>
        )}
      </div>
      <p role="alert" className={outcome === 'published' ? 'text-sm text-ok' : 'text-sm font-bold text-err'}>
        {[outcome && (outcome === 'published' ? t('published') : f(outcome)), isConflict && t('afterConflict')]
          .filter(Boolean)
          .join(' ')}
      </p>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        actions={<Button onClick={() => setOpen(false)}>{t('showInPage')}</Button>}
      >
        {isOpen && children}
      </Dialog>
    </section>
  )
}
