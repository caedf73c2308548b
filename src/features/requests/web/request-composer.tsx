import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { hasRight } from '#src/lib/rights.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { formatTime } from '#src/lib/time/date-time.ts'
import { ApiError, getJson, makeClientId } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ChevronIcon, LockIcon, MailIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { deleteEntryDraft, readEntryDraft, storeEntryDraft } from '#src/ui/forms/entry-draft.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { contentOf, createUpload } from '#src/ui/uploads/upload.ts'
import { UploadBar } from '#src/ui/uploads/upload-bar.tsx'
import { uploadTexts } from '#src/ui/uploads/upload-texts.ts'
import { useFileUpload } from '#src/ui/uploads/use-upload.ts'
import { adminRequestTexts } from '../admin-texts.ts'
import type { RequestDetail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import type { RequestStatus } from '../values.ts'
import { CommentForm } from './comment-form.tsx'
import { AttachIcon } from './request-badges.tsx'
import { replyFilesMax, replyFilesMaxBytes, replyMax, requestStatuses } from '../values.ts'

type ComposerProps = {
  request: RequestDetail
  onWriting: (isWriting: boolean) => void
  /** After something was stored, with a message for the user. */
  onStored: (message: string | null) => void
}

/** Reply to the customer, or an internal comment: two tabs, each with a draft of its own. */
export function RequestComposer({ request, onWriting, onStored }: ComposerProps) {
  const t = useTexts(requestThreadTexts)
  const [tab, setTab] = useState<'reply' | 'comment'>('reply')
  const isInternal = tab === 'comment'
  return (
    <section
      aria-label={t('compose')}
      className={`card overflow-hidden md:ms-12.5 print:hidden ${isInternal ? 'border-dashed border-warn bg-warn-soft' : ''}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-5 border-b border-line px-5">
        <div role="tablist" aria-label={t('compose')} className="flex flex-wrap gap-x-5">
          {(['reply', 'comment'] as const).map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              id={`tab-${one}`}
              aria-selected={tab === one}
              aria-controls={`panel-${one}`}
              tabIndex={tab === one ? 0 : -1}
              className={`-mb-px inline-flex items-center gap-2 border-b-3 py-3 font-bold ${tab === one ? 'border-brand text-ink' : 'border-transparent text-ink-2'}`}
              onClick={() => setTab(one)}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
                const next = one === 'reply' ? 'comment' : 'reply'
                setTab(next)
                document.getElementById(`tab-${next}`)?.focus()
              }}
            >
              {one === 'reply' ? <MailIcon size={18} /> : <LockIcon size={18} />}
              <span>{t(one)}</span>
            </button>
          ))}
        </div>
        <p className={`py-2 text-sm wrap-anywhere text-ink-2 ${isInternal ? 'invisible' : ''}`}>
          {t('to', { email: request.email, language: t(request.language) })}
        </p>
      </div>
      <div role="tabpanel" id="panel-reply" aria-labelledby="tab-reply" hidden={isInternal}>
        <ReplyForm request={request} onWriting={onWriting} onStored={onStored} />
      </div>
      <div role="tabpanel" id="panel-comment" aria-labelledby="tab-comment" hidden={!isInternal} className="p-5">
        <CommentForm id={request.id_request} onAdded={() => onStored(null)} />
      </div>
    </section>
  )
}

type Reply = { shortcut: string; reply: string; reply_en: string }

function ReplyForm({ request, onWriting, onStored }: ComposerProps) {
  const t = useTexts(requestThreadTexts)
  const a = useTexts(adminRequestTexts)
  const f = useTexts(failureTexts)
  const u = useTexts(uploadTexts)
  const language = useLanguage()
  const { display_name } = useProfile()
  const draftKey = `requests/${request.id_request}/reply`
  const [stored] = useState(() => readEntryDraft(draftKey)?.values)
  const draft = String(stored?.text ?? '')
  const area = useRef<HTMLTextAreaElement>(null)
  const [files, setFiles] = useState<File[]>([])
  const [leaves, setLeaves] = useState<RequestStatus>('waiting')
  const { progress, send, stop, stopped, forget } = useFileUpload()
  const busy = progress !== null
  const written = useRef<object>({})
  const [error, setError] = useState('')
  const [hasConflict, setConflict] = useState(false)
  const [draftAt, setDraftAt] = useState<number | null>(null)
  const clientId = useRef(String(stored?.client_id ?? ''))
  const canned = useCannedReplies()
  const [shownText, setShownText] = useState(draft)
  const matches = matchReplies(shownText, canned)
  const choose = (chosen: File[]) => {
    forget()
    setFiles(chosen)
  }
  const size = files.reduce((total, file) => total + file.size, 0)
  const isTooLarge = size > replyFilesMaxBytes || files.length > replyFilesMax
  const lastEntry = request.entries.at(-1)?.id_entry

  const keepDraft = () => {
    const text = area.current?.value ?? ''
    if (text) storeEntryDraft(draftKey, { values: { text, client_id: clientId.current }, base: {} })
    else deleteEntryDraft(draftKey)
    setDraftAt(text ? Date.now() : null)
    setShownText(text)
    onWriting(text !== '')
  }
  const insert = (reply: Reply) => {
    const field = area.current
    if (!field || busy) return
    const text = request.language === 'en' && reply.reply_en ? reply.reply_en : reply.reply
    const [from, to] = matches === null ? [field.selectionStart, field.selectionEnd] : [0, field.value.length]
    field.setRangeText(fillReply(text, request, display_name), from, to, 'end')
    field.focus()
    keepDraft()
  }
  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = area.current?.value.trim() ?? ''
    if (busy || !text || isTooLarge) return
    const variable = unfilled.exec(text)?.[0]
    if (variable) return setError(t('unfilled', { variable }))
    setError('')
    // The same id until it was stored: a second press is the same reply, also after a reload.
    clientId.current ||= makeClientId()
    keepDraft()
    const cc = String(new FormData(form).get('cc') ?? '')
      .split(/[\s,;]+/)
      .filter(Boolean)
    try {
      const reply = { text, cc, status: leaves, client_id: clientId.current }
      written.current = { ...reply, ...(lastEntry && !hasConflict && { last_entry: lastEntry }) }
      if ((await send(() => createReply(request.id_request, files, () => written.current))) === null) return
      clientId.current = ''
      form.reset()
      if (area.current) area.current.value = ''
      setShownText('')
      setFiles([])
      setDraftAt(null)
      setConflict(false)
      deleteEntryDraft(draftKey)
      onWriting(false)
      onStored(t('sentDone'))
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 409 && failure.problem.current))
        return setError(f(failureOf(failure)))
      // It was not stored; what is sent after reading the others is another reply.
      clientId.current = ''
      keepDraft()
      setConflict(true)
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      {canned.length > 0 && <CannedRow replies={canned} matches={matches} onInsert={insert} />}
      <div className="grid grid-cols-1 gap-4 p-5">
        <TextArea
          ref={area}
          label={t('replyLabel')}
          hint={t('replyHint')}
          rows={5}
          maxLength={replyMax}
          defaultValue={draft}
          readOnly={busy}
          lang={request.language}
          onInput={keepDraft}
          onKeyDown={(event) => {
            const first = matches?.[0]
            if (event.key !== 'Enter' || event.shiftKey || !first) return
            event.preventDefault()
            insert(first)
          }}
        />
        {files.length > 0 && (
          <ul className="grid gap-1">
            {files.map((file, index) => (
              <li key={`${file.name} ${index}`} className="flex flex-wrap items-center gap-3 text-sm wrap-anywhere">
                <span>{`${file.name} (${formatBytes(file.size, language)})`}</span>
                <Button
                  variant="link"
                  size="small"
                  disabled={busy}
                  onClick={() => choose(files.filter((_, other) => other !== index))}
                >
                  {t('removeFile', { name: file.name })}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <details>
          <summary className="cursor-pointer text-sm text-brand underline underline-offset-2">{t('addCopy')}</summary>
          <TextField label={t('copyTo')} name="cc" optional autoComplete="off" inputMode="email" className="mt-3" />
        </details>
        <div role="alert" className="empty:hidden">
          {isTooLarge && (
            <p className="font-bold text-err">{t('tooLarge', { size: formatBytes(replyFilesMaxBytes, language) })}</p>
          )}
          {error && <p className="font-bold text-err">{error}</p>}
          {hasConflict && (
            <p className="flex flex-wrap items-center gap-3 rounded-card bg-warn-soft px-4 py-2 font-bold text-warn">
              <span>{t('changed')}</span>
              <Button variant="link" size="small" onClick={() => onStored(null)}>
                {t('show')}
              </Button>
            </p>
          )}
        </div>
        {progress && files.length > 0 && (
          <UploadBar name={files.map(({ name }) => name).join(', ')} progress={progress} onStop={stop} />
        )}
        {stopped && <p role="status">{u(stopped.hasPieces ? 'stopped' : 'stoppedShort')}</p>}
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
            <label className="relative inline-flex cursor-pointer items-center gap-2 rounded-full py-1 font-bold text-brand has-focus-visible:outline-3">
              <AttachIcon size={18} />
              <span className="underline underline-offset-2">{t('files')}</span>
              <input
                type="file"
                multiple
                disabled={busy}
                className="absolute inset-0 cursor-pointer opacity-0"
                onChange={(event) => {
                  choose([...files, ...(event.target.files ?? [])])
                  event.target.value = ''
                }}
              />
            </label>
            {draftAt !== null && <span className="text-ink-2">{t('draftAt', { time: formatTime(draftAt, language) })}</span>}
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <label htmlFor={`leaves-${request.id_request}`} className="text-sm text-ink-2">
              {t('leaves')}
            </label>
            <div className="select">
              <select
                id={`leaves-${request.id_request}`}
                className="input font-bold"
                value={leaves}
                onChange={(event) => setLeaves(event.target.value as RequestStatus)}
              >
                {requestStatuses
                  .filter((status) => status !== 'new')
                  .map((status) => (
                    <option key={status} value={status}>
                      {a(status)}
                    </option>
                  ))}
              </select>
              <ChevronIcon />
            </div>
            <Button type="submit" busy={busy} disabled={isTooLarge}>
              {hasConflict ? t('sendAnyway') : stopped ? u('resume') : t('send')}
            </Button>
          </div>
        </div>
      </div>
    </form>
  )
}

const mostChips = 3
const mostMatches = 8

/** The replies whose shortcut begins with what was typed after `/`; null where something else is written. */
export function matchReplies<R extends { shortcut: string }>(text: string, replies: readonly R[]): R[] | null {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase()
  return typed === undefined ? null : replies.filter(({ shortcut }) => shortcut.toLowerCase().startsWith(typed))
}

type CannedRowProps = {
  replies: Reply[]
  /** Those whose shortcut begins with what was typed; null where none was begun. */
  matches: Reply[] | null
  onInsert: (reply: Reply) => void
}

/** The first replies by name, all others in a list; while a shortcut is typed, those that match. */
function CannedRow({ replies, matches, onInsert }: CannedRowProps) {
  const t = useTexts(requestThreadTexts)
  const others = matches ? [] : replies.slice(mostChips)
  const shown = matches ? matches.slice(0, mostMatches) : replies.slice(0, mostChips)
  return (
    <div
      role="group"
      aria-label={t('cannedTitle')}
      className="flex flex-wrap items-center gap-2 border-b border-line bg-paper px-5 py-2 text-sm"
    >
      <span className="text-ink-2">{t('cannedTitle')}</span>
      {shown.map((reply) => (
        <Button key={reply.shortcut} variant="secondary" size="small" onClick={() => onInsert(reply)}>
          {`/${reply.shortcut}`}
        </Button>
      ))}
      <span role="status" className="text-ink-2">
        {matches && t(matches.length > 0 ? 'cannedEnter' : 'cannedNone', { shortcut: `/${matches[0]?.shortcut ?? ''}` })}
      </span>
      {others.length > 0 && (
        <select
          aria-label={t('moreCanned')}
          className="input w-auto py-1 text-sm"
          value=""
          onChange={(event) => {
            const chosen = others.find(({ shortcut }) => shortcut === event.target.value)
            if (chosen) onInsert(chosen)
          }}
        >
          <option value="">{t('moreCanned')}</option>
          {others.map(({ shortcut }) => (
            <option key={shortcut} value={shortcut}>
              {`/${shortcut}`}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

const unfilled = /\{(?:prenom|technicien|reference|heures)\}/

/** Fills the variables of a canned reply; what is not known here stays, and holds the reply back until it is replaced. */
function fillReply(text: string, { firstname, name, reference }: RequestDetail, technician: string) {
  const [first = name] = name.split(/\s+/)
  return text
    .replaceAll('{prenom}', firstname || first)
    .replaceAll('{technicien}', technician)
    .replaceAll('{reference}', reference)
}

/** `readReply`: what stands in the fields when it is sent, which may be the second time. */
const createReply = (id: number, files: File[], readReply: () => object) =>
  createUpload<unknown>(files, {
    path: `/api/requests/requests/${id}/replies`,
    purpose: 'request_files',
    body: async (parts) => {
      const contents = await Promise.all(parts.map((part) => contentOf(part)))
      const named = files.map(({ name }, index) => ({ name, ...contents[index] }))
      return JSON.stringify({ ...readReply(), files: named })
    },
    isRepeatable: true,
  })

/** Those of the live chat, for who may read them. */
function useCannedReplies() {
  const { rights } = useProfile()
  const mayRead = hasRight(rights, 'chat', 'read_only')
  const [replies, setReplies] = useState<Reply[]>([])
  useEffect(() => {
    if (!mayRead) return
    const leaving = new AbortController()
    getJson<Reply[]>('/api/chat/canned_replies', leaving.signal)
      .then(setReplies)
      .catch((error: unknown) => {
        // The field works without them.
        if (!leaving.signal.aborted) console.warn(error)
      })
    return () => leaving.abort()
  }, [mayRead])
  return replies
}
