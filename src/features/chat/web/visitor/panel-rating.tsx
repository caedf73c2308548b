import { useId, useState } from 'react'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { TextArea } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { afterTexts } from '../../after-texts.ts'
import { chatAddress } from './chat-host.ts'

const notes = [1, 2, 3, 4, 5]

/** 1 to 5 and a word, for who wants to say it. */
export function PanelRating({ idChat }: { idChat: string }) {
  const t = useTexts(afterTexts)
  const id = useId()
  const [rating, setRating] = useState<number | null>(null)
  const [comment, setComment] = useState('')
  const [stage, setStage] = useState<'asking' | 'sending' | 'sent' | 'failed'>('asking')

  const send = async () => {
    setStage('sending')
    try {
      await callApi('POST', chatAddress('rating'), { id_chat: idChat, rating, comment })
      setStage('sent')
    } catch {
      setStage('failed')
    }
  }

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
            if (rating !== null && stage !== 'sending') void send()
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
