import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { hasRight } from '#src/lib/rights.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { ApiError, callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { deleteEntryDraft, readEntryDraft, storeEntryDraft } from '#src/ui/forms/entry-draft.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { SelectField, TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useForm } from '#src/ui/forms/use-form.ts'
import { adminRequestTexts } from '../admin-texts.ts'
import type { RequestDetail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import type { RequestStatus } from '../values.ts'
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
      className={`card overflow-hidden print:hidden ${isInternal ? 'border-dashed border-warn bg-warn-soft' : ''}`}
    >
      <div role="tablist" aria-label={t('compose')} className="flex flex-wrap gap-x-5 border-b border-line px-5">
        {(['reply', 'comment'] as const).map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={tab === one}
            aria-controls={`panel-${one}`}
            tabIndex={tab === one ? 0 : -1}
            className={`-mb-px border-b-3 py-3 font-bold ${tab === one ? 'border-brand text-ink' : 'border-transparent text-ink-2'}`}
            onClick={() => setTab(one)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
              const next = one === 'reply' ? 'comment' : 'reply'
              setTab(next)
              document.getElementById(`tab-${next}`)?.focus()
            }}
          >
            {t(one)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="panel-reply" aria-labelledby="tab-reply" hidden={isInternal} className="p-5">
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
  const language = useLanguage()
  const draftKey = `requests/${request.id_request}/reply`
  const [draft] = useState(() => String(readEntryDraft(draftKey)?.values.text ?? ''))
  const area = useRef<HTMLTextAreaElement>(null)
  const [files, setFiles] = useState<File[]>([])
  const [leaves, setLeaves] = useState<RequestStatus>('waiting')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const [hasConflict, setConflict] = useState(false)
  const clientId = useRef('')
  const canned = useCannedReplies()
  const size = files.reduce((total, file) => total + file.size, 0)
  const isTooLarge = size > replyFilesMaxBytes || files.length > replyFilesMax
  const lastEntry = request.entries.at(-1)?.id_entry

  const keepDraft = () => {
    const text = area.current?.value ?? ''
    if (text) storeEntryDraft(draftKey, { values: { text }, base: {} })
    else deleteEntryDraft(draftKey)
    onWriting(text !== '')
  }
  const insert = (reply: Reply) => {
    const field = area.current
    if (!field) return
    const text = request.language === 'en' && reply.reply_en ? reply.reply_en : reply.reply
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
    field.focus()
    keepDraft()
  }
  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = area.current?.value.trim() ?? ''
    if (busy || !text || isTooLarge) return
    setBusy(true)
    setError('')
    // The same id until it was stored: a second press is the same reply.
    clientId.current ||= crypto.randomUUID()
    const cc = String(new FormData(form).get('cc') ?? '')
      .split(/[\s,;]+/)
      .filter(Boolean)
    try {
      await callApi('POST', `/api/requests/requests/${request.id_request}/replies`, {
        text,
        cc,
        status: leaves,
        client_id: clientId.current,
        files: await Promise.all(files.map(async (file) => ({ name: file.name, data: await toBase64(file) }))),
        ...(lastEntry && !hasConflict && { last_entry: lastEntry }),
      })
      clientId.current = ''
      form.reset()
      if (area.current) area.current.value = ''
      setFiles([])
      setConflict(false)
      deleteEntryDraft(draftKey)
      onWriting(false)
      onStored(t('sentDone'))
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409 && failure.problem.current) setConflict(true)
      else setError(f(failureOf(failure)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(event)} className="grid grid-cols-1 gap-4">
      <p className="text-sm text-ink-2">{t('to', { email: request.email, language: t(request.language) })}</p>
      {canned.length > 0 && (
        <SelectField
          label={t('canned')}
          value=""
          onChange={(event) => {
            const chosen = canned.find(({ shortcut }) => shortcut === event.target.value)
            if (chosen) insert(chosen)
          }}
        >
          <option value="">–</option>
          {canned.map(({ shortcut }) => (
            <option key={shortcut} value={shortcut}>
              {`/${shortcut}`}
            </option>
          ))}
        </SelectField>
      )}
      <TextArea
        ref={area}
        label={t('replyLabel')}
        hint={t('replyHint')}
        rows={5}
        maxLength={replyMax}
        defaultValue={draft}
        lang={request.language}
        onInput={keepDraft}
      />
      <TextField label={t('copyTo')} name="cc" optional autoComplete="off" inputMode="email" />
      <div className="grid justify-items-start gap-2">
        <label className="grid gap-1 text-sm">
          <span className="font-bold">{t('files')}</span>
          <input
            type="file"
            multiple
            className="max-w-full"
            onChange={(event) => {
              setFiles([...files, ...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </label>
        <ul className="grid gap-1">
          {files.map((file, index) => (
            <li key={`${file.name} ${index}`} className="flex flex-wrap items-center gap-3 text-sm wrap-anywhere">
              <span>{`${file.name} (${formatBytes(file.size, language)})`}</span>
              <Button variant="link" size="small" onClick={() => setFiles(files.filter((_, other) => other !== index))}>
                {t('removeFile', { name: file.name })}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <div role="alert" className="empty:hidden">
        {isTooLarge && <p className="font-bold text-err">{t('tooLarge', { size: formatBytes(replyFilesMaxBytes, language) })}</p>}
        {error && <p className="font-bold text-err">{error}</p>}
        {hasConflict && (
          <p className="flex flex-wrap items-center gap-3 rounded-card bg-warn-soft px-4 py-2 font-bold text-warn">
            <span>{t('news')}</span>
            <Button variant="link" size="small" onClick={() => onStored(null)}>
              {t('show')}
            </Button>
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-end justify-end gap-3">
        <SelectField label={t('leaves')} value={leaves} onChange={(event) => setLeaves(event.target.value as RequestStatus)}>
          {requestStatuses
            .filter((status) => status !== 'new')
            .map((status) => (
              <option key={status} value={status}>
                {a(status)}
              </option>
            ))}
        </SelectField>
        <Button type="submit" busy={busy} disabled={isTooLarge}>
          {hasConflict ? t('sendAnyway') : t('send')}
        </Button>
      </div>
    </form>
  )
}

async function toBase64(file: File) {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('a file that cannot be read')))
    reader.readAsDataURL(file)
  })
  return url.slice(url.indexOf(',') + 1)
}

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

function CommentForm({ id, onAdded }: { id: number; onAdded: () => void }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  const form = useForm({
    draftKey: `requests/${id}/comment`,
    fields: ['body'],
    loadSubmission: async () => {
      const { createCommentSubmission } = await import('./comment-submission.ts')
      return createCommentSubmission(id)
    },
    onSent: onAdded,
  })
  return (
    <form {...form.formProps} className="grid gap-3">
      <TextArea label={t('comment')} name="body" rows={3} required defaultValue="" error={form.errors.body?.[language]} />
      <div role="alert">
        {form.status === 'error' &&
          form.outcome?.lines.map((line) => (
            <p key={line.fr} className="font-bold text-err">
              {line[language]}
            </p>
          ))}
      </div>
      <Button type="submit" variant="secondary" busy={form.status === 'submitting'} className="justify-self-start">
        {t('addComment')}
      </Button>
    </form>
  )
}
