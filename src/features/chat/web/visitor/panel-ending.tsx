import { useEffect, useId, useState } from 'react'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '../../texts.ts'
import { transcriptReloadDelay } from '../../values.ts'
import { chatAddress } from './chat-host.ts'
import { Later } from './later.tsx'
import type { VisitorChat } from './visitor-chat.ts'

const loadRating = () => import('./panel-rating.tsx').then((loaded) => loaded.PanelRating)

/** Asked over a running conversation before it ends for good. */
export function EndQuestion({ onStay, onEnd }: { onStay: () => void; onEnd: () => Promise<void> }) {
  const t = useTexts(texts)
  const id = useId()
  const [busy, setBusy] = useState(false)
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
        <Button variant="secondary" data-first="" onClick={onStay}>
          {t('endNo')}
        </Button>
      </div>
    </div>
  )
}

/** The conversation is over: does the visitor want it by mail? Then the page starts afresh. */
type TranscriptQuestionProps = { chat: VisitorChat; idChat: string; isRated: boolean; canMail: boolean }

export function TranscriptQuestion({ chat, idChat, isRated, canMail }: TranscriptQuestionProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const [stage, setStage] = useState<'asking' | 'sending' | 'failed' | 'refused' | 'kept' | 'sent' | 'skipped'>('asking')
  const isOffered = canMail && stage !== 'refused'
  const isDone = stage === 'sent' || stage === 'skipped'

  useEffect(() => {
    if (!isDone) return
    chat.forget()
    const timer = setTimeout(() => location.reload(), transcriptReloadDelay)
    return () => clearTimeout(timer)
  }, [isDone, chat])

  const ask = async () => {
    setStage('sending')
    try {
      await callApi<undefined>('POST', chatAddress('transcript'), { id_chat: idChat, language })
      setStage('sent')
    } catch (error) {
      setStage(error instanceof ApiError && error.status === 409 ? 'refused' : 'failed')
    }
  }

  const save = async () => {
    setStage('sending')
    try {
      const { saveTranscript } = await import('./visitor-files.ts')
      await saveTranscript(idChat, language)
      setStage('kept')
    } catch {
      setStage('failed')
    }
  }

  return (
    <div className="chat-body">
      <h3 data-first="" tabIndex={-1} className="mb-3 outline-none">
        {t('transcriptTitle')}
      </h3>
      {isRated && !isDone && <Later load={loadRating} with={{ idChat }} />}
      <div role="status">
        {(isDone || stage === 'kept') && (
          <p className="mb-3 rounded-field bg-ok-soft px-4 py-3 font-bold text-ok">
            {t(stage === 'sent' ? 'transcriptSent' : stage === 'kept' ? 'transcriptKept' : 'transcriptSkipped')}
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
              <Button busy={stage === 'sending'} onClick={() => void ask()}>
                {t('transcriptYes')}
              </Button>
            )}
            <Button variant="secondary" busy={stage === 'sending'} onClick={() => void save()}>
              {t('transcriptKeep')}
            </Button>
            <Button variant="secondary" disabled={stage === 'sending'} onClick={() => setStage('skipped')}>
              {t('transcriptNo')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
