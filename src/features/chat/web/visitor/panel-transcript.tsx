import { useEffect, useRef, useState } from 'react'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { afterTexts } from '../../after-texts.ts'
import { transcriptReloadDelay } from '../../values.ts'
import { chatAddress } from './chat-host.ts'
import { Later } from './later.tsx'
import type { VisitorChat } from './visitor-chat.ts'

const loadRating = () => import('./panel-rating.tsx').then((loaded) => loaded.PanelRating)

/** The conversation is over: does the visitor want it by mail? Then the page starts afresh. */
type TranscriptQuestionProps = { chat: VisitorChat; idChat: string; isRated: boolean; canMail: boolean }

export function TranscriptQuestion({ chat, idChat, isRated, canMail }: TranscriptQuestionProps) {
  const t = useTexts(afterTexts)
  const title = useRef<HTMLHeadingElement>(null)
  const language = useLanguage()
  const [stage, setStage] = useState<'asking' | 'sending' | 'failed' | 'refused' | 'kept' | 'sent' | 'skipped'>('asking')
  const isOffered = canMail && stage !== 'refused'
  const isDone = stage === 'sent' || stage === 'skipped'

  // It loads after the panel looked for where to go on.
  useEffect(() => title.current?.focus(), [])
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
      <h3 ref={title} data-first="" tabIndex={-1} className="mb-3 outline-none">
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
