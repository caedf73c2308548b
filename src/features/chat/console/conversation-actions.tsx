import { useState, useId } from 'react'
import type { FormEvent } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { SelectField, TextField, TextArea } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { callApi } from '#src/ui/api.ts'
import { fieldErrorTexts } from '#src/ui/forms/failures.ts'
import { useSaving } from '#src/ui/forms/use-saving.ts'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import type { ChatContext, Block, BlockInput, ChatRequestInput, LinkedRequest } from '../contract.ts'
import { consoleTexts } from './console-texts.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { visitorDetailsTexts } from './visitor-details-texts.ts'
import type { StaffChat } from '../protocol.ts'
import type { StaffSession } from './staff-session.ts'
import { blockHours } from '../values.ts'

type ConsoleActionsProps = {
  chat: StaffChat
  context: ChatContext | null
  session: StaffSession
  onDone: () => Promise<void>
}

/** Turn into a request, correct the contact, block. */
export function ConsoleActions({ chat, context, session, onDone }: ConsoleActionsProps) {
  const tool = useTexts(visitorDetailsTexts)
  const [dialog, setDialog] = useState<'contact' | 'request' | 'block' | null>(null)
  const isRequest = context?.requests.some((request) => request.is_from_chat)
  const handleDone = () => {
    setDialog(null)
    onDone().catch((error: unknown) => session.fail(error))
  }
  return (
    <div className="grid gap-3">
      {context && !isRequest && (
        <Button variant="secondary" size="small" wide onClick={() => setDialog('request')}>
          {tool('convert')}
        </Button>
      )}
      {context && (
        <Button variant="link" size="small" className="justify-self-center" onClick={() => setDialog('contact')}>
          {tool('correct')}
        </Button>
      )}
      {context && !context.is_blocked && (
        <Button variant="link" size="small" className="justify-self-center text-err" onClick={() => setDialog('block')}>
          {tool('block')}
        </Button>
      )}
      {dialog === 'contact' && <ContactDialog chat={chat} onClose={() => setDialog(null)} onDone={handleDone} />}
      {dialog === 'request' && <RequestDialog chat={chat} onClose={() => setDialog(null)} onDone={handleDone} />}
      {dialog === 'block' && context && (
        <BlockDialog chat={chat} hasAddress={context.has_address} onClose={() => setDialog(null)} onDone={handleDone} />
      )}
    </div>
  )
}

type BlockDialogProps = { chat: StaffChat; hasAddress: boolean; onClose: () => void; onDone: () => void }

const reasonMax = 200

/** Blocks a visitor: by what, why and for how long. */
function BlockDialog({ chat, hasAddress, onClose, onDone }: BlockDialogProps) {
  const t = useTexts(visitorDetailsTexts)
  const s = useTexts(consoleTexts)
  const e = useTexts(fieldErrorTexts)
  const formId = useId()
  const [input, setInput] = useState<BlockInput>({
    id_chat: chat.id,
    by_email: true,
    by_address: false,
    reason: '',
    hours: 24,
  })
  const [isChecked, setChecked] = useState(false)
  const { busy, failure, save } = useSaving()
  const isUnreasoned = input.reason.trim() === ''
  const isByNothing = !input.by_email && !input.by_address
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (isUnreasoned || isByNothing) return
    void save(async () => {
      await callApi<Block>('POST', '/api/chat/blocks', input)
      onDone()
    })
  }
  const handleHours = (value: string) =>
    setInput({ ...input, hours: blockHours.find((hours) => String(hours) === value) ?? null })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('blockTitle', { name: chat.client_name })}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {s('cancel')}
          </Button>
          <Button type="submit" form={formId} variant="danger" busy={busy}>
            {t('blockDo')}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" noValidate onSubmit={handleSubmit}>
        <p>{t('blockHint')}</p>
        <div role="alert">
          {failure && <p className="font-bold text-err">{failure}</p>}
          {isChecked && isByNothing && <p className="font-bold text-err">{t('byNothing')}</p>}
        </div>
        <TextField
          label={t('reason')}
          hint={t('reasonHint')}
          value={input.reason}
          maxLength={reasonMax}
          required
          autoFocus
          error={isChecked && isUnreasoned ? e('required') : null}
          onChange={(event) => setInput({ ...input, reason: event.target.value })}
        />
        <SelectField label={t('duration')} value={input.hours ?? ''} onChange={(event) => handleHours(event.target.value)}>
          {blockHours.map((hours) => (
            <option key={hours} value={hours}>
              {hours < 24 ? t('hours', { count: hours }) : t('days', { count: hours / 24 })}
            </option>
          ))}
          <option value="">{t('always')}</option>
        </SelectField>
        <SwitchField
          label={t('byEmail')}
          hint={chat.client_email}
          checked={input.by_email}
          onChange={(by_email) => setInput({ ...input, by_email })}
        />
        <SwitchField
          label={t('byAddress')}
          hint={t(hasAddress ? 'byAddressHint' : 'noAddress')}
          checked={input.by_address}
          disabled={!hasAddress}
          onChange={(by_address) => setInput({ ...input, by_address })}
        />
      </form>
    </Dialog>
  )
}

type RequestDialogProps = { chat: StaffChat; onClose: () => void; onDone: () => void }

const titleMax = 200
const summaryMax = 2_000

/** Turns a conversation into a request, with a title and a summary. */
function RequestDialog({ chat, onClose, onDone }: RequestDialogProps) {
  const t = useTexts(visitorDetailsTexts)
  const s = useTexts(consoleTexts)
  const e = useTexts(fieldErrorTexts)
  const formId = useId()
  const [input, setInput] = useState<ChatRequestInput>({ subject: '', summary: '' })
  const [isMissing, setMissing] = useState(false)
  const { busy, failure, save } = useSaving()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const isBlank = input.subject.trim() === ''
    setMissing(isBlank)
    if (isBlank) return
    void save(async () => {
      await callApi<LinkedRequest>('POST', `/api/chat/chats/${chat.id}/request`, input)
      onDone()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('convertTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {s('cancel')}
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {t('convertDo')}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" noValidate onSubmit={handleSubmit}>
        <p>{t('convertHint')}</p>
        <div role="alert">{failure && <p className="font-bold text-err">{failure}</p>}</div>
        <TextField
          label={t('subject')}
          value={input.subject}
          maxLength={titleMax}
          required
          autoFocus
          error={isMissing ? e('required') : null}
          onChange={(event) => setInput({ ...input, subject: event.target.value })}
        />
        <TextArea
          label={t('summary')}
          optional
          rows={4}
          value={input.summary}
          maxLength={summaryMax}
          onChange={(event) => setInput({ ...input, summary: event.target.value })}
        />
      </form>
    </Dialog>
  )
}
