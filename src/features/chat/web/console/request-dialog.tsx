import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { failureTexts, fieldErrorTexts } from '#src/ui/failures.ts'
import { TextArea, TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { ChatRequestInput, LinkedRequest } from '../../console-contract.ts'
import { staffTexts } from '../../staff-texts.ts'
import { toolTexts } from '../../tool-texts.ts'
import type { StaffChat } from '../../values.ts'
import { useSending } from './use-sending.ts'

type RequestDialogProps = { chat: StaffChat; onClose: () => void; onDone: () => void }

const titleMax = 200
const summaryMax = 2_000

/** Makes a request of a conversation: a title and a word for the colleagues; what was said comes along. */
export function RequestDialog({ chat, onClose, onDone }: RequestDialogProps) {
  const t = useTexts(toolTexts)
  const s = useTexts(staffTexts)
  const f = useTexts(failureTexts)
  const e = useTexts(fieldErrorTexts)
  const formId = useId()
  const [input, setInput] = useState<ChatRequestInput>({ subject: '', summary: '' })
  const [isMissing, setMissing] = useState(false)
  const form = useSending(() => callApi<LinkedRequest>('POST', `/api/chat/chats/${chat.id}/request`, input), onDone)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const isBlank = input.subject.trim() === ''
    setMissing(isBlank)
    if (!isBlank) void form.submit()
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
          <Button type="submit" form={formId} busy={form.busy}>
            {t('convertDo')}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" noValidate onSubmit={handleSubmit}>
        <p>{t('convertHint')}</p>
        <div role="alert">{form.failure && <p className="font-bold text-err">{f(form.failure)}</p>}</div>
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
