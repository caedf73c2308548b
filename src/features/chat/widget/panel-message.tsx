import { useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { ApiError, callApi } from '#src/ui/api.ts'
import type { Language } from '#src/lib/language/language.ts'
import { leftMessageMax } from '../values.ts'
import { panelEndingTexts } from './panel-ending-texts.ts'
import { chatAddress, visitedPage } from './chat-host.ts'
import type { VisitorSession } from './visitor-session.ts'
import { readStored, storeSession } from './visitor-storage.ts'

type PanelMessageProps = {
  idChat: string | null
  start: string
  /** Each change of the text, and an empty text once it was sent. */
  onText?: ((text: string) => void) | undefined
}

/** A message left where nobody answers, prefilled from the login; it becomes a request with a number. */
export function PanelMessage({ idChat, start, onText }: PanelMessageProps) {
  const t = useTexts(panelEndingTexts)
  const [visitor] = useState(() => readStored().visitor)
  // The first text alone: what is written changes the stored text, which must not change the field.
  const [text] = useState(start)
  const { form, refused, stage, references, send, correct, storePerson } = useLeftMessage(idChat, onText)
  const error = (name: Refused) => (refused !== name ? null : t(name === 'email' ? 'emailRefused' : 'required'))
  return (
    <div>
      <div role="status">{references && <Received references={references} />}</div>
      {!references && (
        <form
          ref={form}
          noValidate
          aria-label={t('formTitle')}
          className="grid gap-4"
          onInput={({ target }) => {
            correct((target as HTMLInputElement).name)
            storePerson()
          }}
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
            rows={6}
            defaultValue={text}
            onChange={(event) => onText?.(event.target.value)}
            error={error('message')}
          />
          {(stage === 'limited' || stage === 'failed') && <Failure text={t(stage)} />}
          <Button type="submit" wide busy={stage === 'sending'}>
            {t('send')}
          </Button>
        </form>
      )}
    </div>
  )
}

const refusable = ['name', 'email', 'message'] as const
type Refused = (typeof refusable)[number]
type Stage = 'writing' | 'sending' | 'limited' | 'failed'

/** Validates and sends the message; `references` are the numbers of its requests. */
function useLeftMessage(idChat: string | null, onText?: (text: string) => void) {
  const form = useRef<HTMLFormElement>(null)
  const language = useLanguage()
  const [refused, setRefused] = useState<Refused | null>(null)
  const [stage, setStage] = useState<Stage>('writing')
  const [references, setReferences] = useState('')

  const refuse = (name: Refused) => {
    setRefused(name)
    setStage('writing')
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  }
  const readForm = () => {
    const data = new FormData(form.current ?? undefined)
    return (name: string) => String(data.get(name) ?? '').trim()
  }
  const storePerson = () => {
    const value = readForm()
    storeSession({ visitor: { name: value('name'), email: value('email') } })
  }
  const send = async () => {
    const value = readForm()
    const isEmail = form.current?.querySelector<HTMLInputElement>('[name=email]')?.validity.typeMismatch === false
    if (!value('name')) return refuse('name')
    if (!value('email') || !isEmail) return refuse('email')
    if (!value('message')) return refuse('message')
    setStage('sending')
    try {
      const person = { name: value('name'), email: value('email'), phone: value('phone'), honey: value('honey') }
      setReferences(await sendAsRequest({ ...person, message: value('message'), language, idChat }))
      onText?.('')
    } catch (failure) {
      const field = refusedField(failure)
      if (field) return refuse(field)
      setStage(stageAfter(failure))
    }
  }
  const correct = (name: string) => {
    if (name === refused) setRefused(null)
  }

  return { form, refused, stage, references, send, correct, storePerson }
}

const stageAfter = (failure: unknown): Stage => (failure instanceof ApiError && failure.status === 429 ? 'limited' : 'failed')

function refusedField(failure: unknown) {
  if (!(failure instanceof ApiError) || failure.status !== 400) return undefined
  return refusable.find((name) => failure.errors.some(({ path }) => path.includes(name)))
}

type LeftMessage = {
  name: string
  email: string
  phone?: string
  honey?: string
  message: string
  language: Language
  idChat: string | null
}

/** A text longer than a request takes becomes several, so that nothing of it is cut off. Returns their numbers. */
async function sendAsRequest({ idChat, message, ...fields }: LeftMessage) {
  const references: string[] = []
  for (let from = 0; from < message.length; from += leftMessageMax) {
    const part = message.slice(from, from + leftMessageMax)
    const body = { ...fields, message: part, page: visitedPage(), ...(idChat ? { id_chat: idChat } : {}) }
    references.push((await callApi<{ reference: string }>('POST', chatAddress('message'), body)).reference)
  }
  return references.join(', ')
}

type UnsentTextProps = { session: VisitorSession; idChat: string | null }

/** What did not reach the server before the conversation was over: to read, to copy, or to send as a request. */
export function UnsentText({ session, idChat }: UnsentTextProps) {
  const t = useTexts(panelEndingTexts)
  const language = useLanguage()
  const shown = useRef<HTMLQuoteElement>(null)
  const [text] = useState(session.unsentText)
  const [stage, setStage] = useState<Stage | 'copied' | 'selected'>('writing')
  const [references, setReferences] = useState('')
  const { visitor } = readStored()
  if (!text) return null

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setStage('copied')
    } catch {
      // The browser may refuse the clipboard to a frame: the text is selected for the keyboard.
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      setStage('selected')
    }
  }
  const send = async () => {
    if (!visitor) return
    setStage('sending')
    try {
      setReferences(await sendAsRequest({ ...visitor, message: text, language, idChat }))
      session.replaceUnsentText('')
    } catch (failure) {
      setStage(stageAfter(failure))
    }
  }
  return (
    <section className="mb-5 border-b border-line pb-5">
      <div role="status">
        {references && <Received references={references} />}
        {(stage === 'copied' || stage === 'selected') && !references && <p className="mb-3 font-bold">{t(stage)}</p>}
      </div>
      {!references && (
        <>
          <p className="mb-2 font-bold">{t('unsentTitle')}</p>
          <blockquote ref={shown} className="chat-unsent">
            {text}
          </blockquote>
          {(stage === 'limited' || stage === 'failed') && <Failure text={t(stage)} />}
          <div className="mt-3 flex flex-wrap gap-3">
            {visitor?.name && visitor.email && (
              <Button busy={stage === 'sending'} onClick={() => void send()}>
                {t('sendAsRequest')}
              </Button>
            )}
            <Button variant="secondary" onClick={() => void copy()}>
              {t('copy')}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

function Received({ references }: { references: string }) {
  const t = useTexts(panelEndingTexts)
  // The number stays on one line.
  const [before, after] = t('received').split('{reference}')
  return (
    <p className="rounded-field bg-ok-soft px-4 py-3 font-bold text-ok">
      {before}
      <span className="whitespace-nowrap">{references}</span>
      {after}
    </p>
  )
}

function Failure({ text }: { text: string }) {
  return (
    <p role="alert" className="mt-3 rounded-field bg-err-soft px-4 py-3 font-bold text-err">
      {text}
    </p>
  )
}
