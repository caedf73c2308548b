import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { ApiError, callApi, makeClientId } from '#src/ui/api.ts'
import type { Language } from '#src/lib/language/language.ts'
import { leftMessageMax } from '../values.ts'
import { panelEndingTexts } from './panel-ending-texts.ts'
import { PhoneLink } from './opening.tsx'
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
  const error = (name: Refused) => (refused.includes(name) ? t(name === 'email' ? 'emailRefused' : 'required') : null)
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
            if (!isSending(stage)) void send()
          }}
        >
          <input type="hidden" name="honey" defaultValue="" />
          <TextField
            label={t('name')}
            name="name"
            required
            autoComplete="name"
            maxLength={200}
            defaultValue={visitor?.name}
            error={error('name')}
          />
          <TextField
            label={t('email')}
            name="email"
            type="email"
            required
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
            required
            defaultValue={text}
            onChange={(event) => onText?.(event.target.value)}
            error={error('message')}
          />
          <Problem stage={stage} />
          <Button type="submit" wide busy={isSending(stage)}>
            {t('send')}
          </Button>
        </form>
      )}
    </div>
  )
}

const refusable = ['name', 'email', 'message'] as const
type Refused = (typeof refusable)[number]
type Stage = 'writing' | 'sending' | 'slow' | 'limited' | 'failed'

/** Validates and sends the message; `references` are the numbers of its requests. */
function useLeftMessage(idChat: string | null, onText?: (text: string) => void) {
  const form = useRef<HTMLFormElement>(null)
  const language = useLanguage()
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [stage, setStage] = useState<Stage>('writing')
  const [references, setReferences] = useState('')

  const refuse = (names: readonly Refused[]) => {
    setRefused(names)
    setStage('writing')
    form.current?.querySelector<HTMLInputElement>(`[name=${names[0]}]`)?.focus()
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
    const wrong = refusable.filter((name) => !value(name) || (name === 'email' && !isEmail))
    if (wrong.length > 0) return refuse(wrong)
    setStage('sending')
    try {
      const person = { name: value('name'), email: value('email'), phone: value('phone'), honey: value('honey') }
      const left = { ...person, message: value('message'), language, idChat }
      setReferences(await sendAsRequest(left, () => setStage('slow')))
      onText?.('')
    } catch (failure) {
      const fields = refusedFields(failure)
      if (fields.length > 0) return refuse(fields)
      setStage(stageAfter(failure))
    }
  }
  const correct = (name: string) => {
    setRefused((before) => before.filter((one) => one !== name))
  }

  return { form, refused, stage, references, send, correct, storePerson }
}

const isSending = (stage: string) => stage === 'sending' || stage === 'slow'
const stageAfter = (failure: unknown): Stage => (failure instanceof ApiError && failure.status === 429 ? 'limited' : 'failed')

function refusedFields(failure: unknown) {
  if (!(failure instanceof ApiError) || failure.status !== 400) return []
  return refusable.filter((name) => failure.errors.some(({ path }) => path.includes(name)))
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

/** Of the request that a message becomes. */
const referencePattern = /^CL-\d{4}-\d{6,}$/
/** Milliseconds without an answer before a notice, and before the message is sent again with the same id. */
const slowAfter = 10_000
const againAfter = 30_000

/** A text longer than a request takes becomes several, so that nothing of it is cut off. Returns their numbers. */
export async function sendAsRequest({ idChat, message, ...fields }: LeftMessage, onSlow: () => void) {
  const messageId = readStored().messageId ?? makeClientId()
  storeSession({ messageId })
  const common = { ...fields, client_id: messageId, page: visitedPage(), ...(idChat ? { id_chat: idChat } : {}) }
  const references: string[] = []
  const slow = setTimeout(onSlow, slowAfter)
  try {
    for (let from = 0; from < message.length; from += leftMessageMax)
      references.push(await sendPart({ ...common, message: message.slice(from, from + leftMessageMax) }))
  } finally {
    clearTimeout(slow)
  }
  // What is written next is another matter.
  storeSession({ messageId: undefined })
  return references.join(', ')
}

/** Only a well-formed number proves that the request is stored; without any answer it is sent once more. */
async function sendPart(body: object, triesLeft = 1): Promise<string> {
  const stopping = new AbortController()
  const timer = setTimeout(() => stopping.abort(), againAfter)
  try {
    const answer = await callApi<{ reference?: unknown } | undefined>('POST', chatAddress('message'), body, stopping.signal)
    const reference = answer?.reference
    if (typeof reference === 'string' && referencePattern.test(reference)) return reference
    throw new ApiError(0, {})
  } catch (error) {
    if (!stopping.signal.aborted || triesLeft === 0) throw error
    return await sendPart(body, triesLeft - 1)
  } finally {
    clearTimeout(timer)
  }
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
      setReferences(await sendAsRequest({ ...visitor, message: text, language, idChat }, () => setStage('slow')))
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
          <blockquote ref={shown} className="chat-unsent" tabIndex={0}>
            {text}
          </blockquote>
          <Problem stage={stage} />
          <div className="mt-3 flex flex-wrap gap-3">
            {visitor?.name && visitor.email && (
              <Button busy={isSending(stage)} onClick={() => void send()}>
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
  return (
    <p className="rounded-field bg-ok-soft px-4 py-3 font-bold text-ok">
      <Filled text={t('received')} place="{reference}">
        <span className="whitespace-nowrap">{references}</span>
      </Filled>
    </p>
  )
}

function Problem({ stage }: { stage: string }) {
  const t = useTexts(panelEndingTexts)
  if (stage !== 'slow' && stage !== 'limited' && stage !== 'failed') return null
  return (
    <p role="alert" className="mt-3 rounded-field bg-err-soft px-4 py-3 font-bold text-err">
      <Filled text={t(stage)} place="{phone}">
        <PhoneLink />
      </Filled>
    </p>
  )
}

/** A text with something that stays on one line in its place. */
function Filled({ text, place, children }: { text: string; place: string; children: ReactNode }) {
  const [before, after] = text.split(place)
  return (
    <>
      {before}
      {after && children}
      {after}
    </>
  )
}
