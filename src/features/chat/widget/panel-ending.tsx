import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { ApiError, callApi } from '#src/ui/api.ts'
import { TextArea } from '#src/ui/forms/field.tsx'
import { panelEndingTexts } from './panel-ending-texts.ts'
import { transcriptReloadDelay } from '../values.ts'
import { chatAddress } from './chat-host.ts'
import { saveTranscript, UnsentFiles } from './panel-files.tsx'
import { UnsentText } from './panel-message.tsx'
import type { VisitorSession } from './visitor-session.ts'

/** Confirms the end of a running conversation. */
export function EndQuestion({ onStay, onEnd }: { onStay: () => void; onEnd: () => Promise<void> }) {
  const t = useTexts(panelEndingTexts)
  const id = useId()
  const [busy, setBusy] = useState(false)
  const stay = useRef<HTMLButtonElement>(null)
  // This component loads lazily: the panel has set the focus before it was there.
  useEffect(() => stay.current?.focus(), [])
  return (
    <div role="alertdialog" aria-labelledby={`${id}-title`} aria-describedby={`${id}-body`} className="chat-question">
      <h3 id={`${id}-title`}>{t('endTitle')}</h3>
      <p id={`${id}-body`} className="mt-1">
        {t('endBody')}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          variant="danger"
          busy={busy}
          onClick={() => {
            setBusy(true)
            void onEnd()
          }}
        >
          {t('endYes')}
        </Button>
        <Button ref={stay} variant="secondary" data-first="" onClick={onStay}>
          {t('endNo')}
        </Button>
      </div>
    </div>
  )
}

/** After the end: offers the transcript by mail or as a file, then reloads the page. */
type TranscriptQuestionProps = { session: VisitorSession; idChat: string; isRated: boolean; canMail: boolean }

export function TranscriptQuestion({ session, idChat, isRated, canMail }: TranscriptQuestionProps) {
  const t = useTexts(panelEndingTexts)
  const title = useRef<HTMLHeadingElement>(null)
  const language = useLanguage()
  const [stage, setStage] = useState<'asking' | 'sending' | 'failed' | 'refused' | 'downloaded' | 'sent' | 'skipped'>('asking')
  const isOffered = canMail && stage !== 'refused'
  const isDone = stage === 'sent' || stage === 'skipped'
  const rating = useRating(idChat)

  // This component loads lazily: the panel has set the focus before it was there.
  useEffect(() => title.current?.focus(), [])
  useEffect(() => {
    if (!isDone) return
    session.forget()
    const timer = setTimeout(() => location.reload(), transcriptReloadDelay)
    return () => clearTimeout(timer)
  }, [isDone, session])

  const answer = async (end: 'sent' | 'skipped') => {
    setStage('sending')
    // Told of it once, the visitor may leave without the rating.
    const isTold = rating.stage === 'failed'
    if (!(await rating.send()) && !isTold) return setStage(stage)
    try {
      if (end === 'sent') await callApi<undefined>('POST', chatAddress('transcript'), { id_chat: idChat, language })
      setStage(end)
    } catch (error) {
      setStage(error instanceof ApiError && error.status === 409 ? 'refused' : 'failed')
    }
  }

  const download = async () => {
    setStage('sending')
    try {
      await saveTranscript(idChat, language)
      setStage('downloaded')
    } catch {
      setStage('failed')
    }
  }

  return (
    <div className="chat-body">
      <h3 ref={title} data-first="" tabIndex={-1} className="mb-3 outline-none">
        {t('transcriptTitle')}
      </h3>
      {!isDone && <UnsentText session={session} idChat={idChat} />}
      {!isDone && <UnsentFiles session={session} />}
      {isRated && !isDone && <PanelRating {...rating} />}
      <div role="status">
        {(isDone || stage === 'downloaded') && (
          <p className="mb-3 rounded-field bg-ok-soft px-4 py-3 font-bold text-ok">
            {t(stage === 'sent' ? 'transcriptSent' : stage === 'downloaded' ? 'transcriptDownloaded' : 'transcriptSkipped')}
          </p>
        )}
      </div>
      {stage === 'failed' && (
        <p role="alert" className="mb-3 rounded-field bg-err-soft px-4 py-3 font-bold text-err">
          {t('transcriptFailed')}
        </p>
      )}
      {!isDone && (
        <>
          <p>{t(isOffered ? 'transcriptQuestion' : 'transcriptNotMailed')}</p>
          <div className="mt-5 flex flex-wrap gap-3">
            {isOffered && (
              <Button busy={stage === 'sending'} onClick={() => void answer('sent')}>
                {t('transcriptYes')}
              </Button>
            )}
            <Button variant="secondary" busy={stage === 'sending'} onClick={() => void download()}>
              {t('transcriptDownload')}
            </Button>
            <Button variant="secondary" busy={stage === 'sending'} onClick={() => void answer('skipped')}>
              {t('transcriptNo')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

const notes = [1, 2, 3, 4, 5]

/** An optional rating, 1 to 5, with a comment. It leaves with the answer about the transcript at the latest. */
function useRating(idChat: string) {
  const [rating, setRating] = useState<number | null>(null)
  const [comment, setComment] = useState('')
  const [stage, setStage] = useState<'asking' | 'sending' | 'sent' | 'failed'>('asking')
  const running = useRef<Promise<boolean> | null>(null)

  const post = async () => {
    setStage('sending')
    try {
      await callApi('POST', chatAddress('rating'), { id_chat: idChat, rating, comment })
      setStage('sent')
      return true
    } catch {
      setStage('failed')
      return false
    } finally {
      running.current = null
    }
  }
  /** Returns false where the server did not take it. */
  const send = async () => rating === null || stage === 'sent' || (running.current ??= post())

  return { rating, setRating, comment, setComment, stage, send }
}

function PanelRating({ rating, setRating, comment, setComment, stage, send }: ReturnType<typeof useRating>) {
  const t = useTexts(panelEndingTexts)
  const id = useId()
  return (
    <div className="mb-5 border-b border-line pb-5">
      <div role="status">
        {stage === 'sent' && <p className="rounded-field bg-ok-soft px-4 py-3 font-bold text-ok">{t('ratingSent')}</p>}
      </div>
      {stage !== 'sent' && (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <fieldset>
            <legend className="mb-2 font-bold">{t('rate')}</legend>
            <div className="flex gap-2">
              {notes.map((note) => (
                <label key={note} className="chat-note">
                  <input
                    type="radio"
                    name={id}
                    className="sr-only"
                    aria-label={t('star', { count: note })}
                    checked={rating === note}
                    onChange={() => setRating(note)}
                  />
                  <span aria-hidden="true">{note}</span>
                </label>
              ))}
            </div>
            <p className="mt-1 flex max-w-64 justify-between text-sm text-ink-2" aria-hidden="true">
              <span>{t('worst')}</span>
              <span>{t('best')}</span>
            </p>
          </fieldset>
          {rating !== null && (
            <>
              <TextArea
                label={t('comment')}
                optional
                rows={2}
                maxLength={1_000}
                value={comment}
                onChange={(event) => setComment(event.target.value)}
              />
              {stage === 'failed' && (
                <p role="alert" className="font-bold text-err">
                  {t('ratingFailed')}
                </p>
              )}
              <Button type="submit" variant="secondary" busy={stage === 'sending'} className="justify-self-start">
                {t('sendRating')}
              </Button>
            </>
          )}
        </form>
      )}
    </div>
  )
}
