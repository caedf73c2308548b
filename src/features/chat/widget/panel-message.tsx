import { useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { ApiError, callApi } from '#src/ui/api.ts'
import { panelEndingTexts } from './panel-ending-texts.ts'
import { chatAddress, visitedPage } from './chat-host.ts'
import { storeSession, readStored } from './visitor-storage.ts'

const messageMax = 2_000

/** A message left where nobody answers, prefilled from the login; it becomes a request with a number. */
export function PanelMessage({ idChat, start }: { idChat: string | null; start: string }) {
  const t = useTexts(panelEndingTexts)
  const { form, visitor, wrong, stage, reference, send } = useLeftMessage(idChat)

  // The number stays on one line.
  const [before, after] = t('received').split('{reference}')
  const error = (name: Wrong) => (wrong !== name ? null : t(name === 'email' ? 'emailWrong' : 'required'))
  return (
    <div>
      <div role="status">
        {reference && (
          <p className="rounded-field bg-ok-soft px-4 py-3 font-bold text-ok">
            {before}
            <span className="whitespace-nowrap">{reference}</span>
            {after}
          </p>
        )}
      </div>
      {!reference && (
        <form
          ref={form}
          noValidate
          aria-label={t('formTitle')}
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (stage !== 'sending') void send()
          }}
        >
          <input type="hidden" name="honey" defaultValue="" />
          <TextField
            label={t('name')}
            name="name"
            autoComplete="name"
            maxLength={200}
            defaultValue={visitor?.name}
            error={error('name')}
          />
          <TextField
            label={t('email')}
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            defaultValue={visitor?.email}
            error={error('email')}
          />
          <TextField label={t('phone')} name="phone" type="tel" optional autoComplete="tel" maxLength={40} />
          <TextArea
            label={t('message')}
            name="message"
            maxLength={messageMax}
            defaultValue={start.slice(0, messageMax)}
            hint={t('messageHint')}
            error={error('message')}
          />
          {(stage === 'limited' || stage === 'failed') && (
            <p role="alert" className="rounded-field bg-err-soft px-4 py-3 font-bold text-err">
              {t(stage)}
            </p>
          )}
          <Button type="submit" wide busy={stage === 'sending'}>
            {t('send')}
          </Button>
        </form>
      )}
    </div>
  )
}

type Wrong = 'name' | 'email' | 'message'

/** Validates and sends the message; `reference` is the number of its request. */
function useLeftMessage(idChat: string | null) {
  const form = useRef<HTMLFormElement>(null)
  const language = useLanguage()
  const [visitor] = useState(() => readStored().visitor)
  const [wrong, setWrong] = useState<Wrong | null>(null)
  const [stage, setStage] = useState<'writing' | 'sending' | 'limited' | 'failed'>('writing')
  const [reference, setReference] = useState('')

  const send = async () => {
    const data = new FormData(form.current ?? undefined)
    const value = (name: string) => String(data.get(name) ?? '').trim()
    const isEmail = form.current?.querySelector<HTMLInputElement>('[name=email]')?.validity.typeMismatch === false
    const missing = !value('name') ? 'name' : !value('email') || !isEmail ? 'email' : !value('message') ? 'message' : null
    setWrong(missing)
    if (missing) return form.current?.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus()
    setStage('sending')
    try {
      const fields = { name: value('name'), email: value('email'), phone: value('phone'), message: value('message') }
      const body = { ...fields, honey: value('honey'), language, page: visitedPage(), ...(idChat ? { id_chat: idChat } : {}) }
      const receipt = await callApi<{ reference: string }>('POST', chatAddress('message'), body)
      storeSession({ draft: '' })
      setReference(receipt.reference)
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0
      setStage(status === 429 ? 'limited' : 'failed')
      if (status === 400) setWrong('email')
    }
  }

  return { form, visitor, wrong, stage, reference, send }
}
