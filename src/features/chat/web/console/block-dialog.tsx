import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { failureTexts, fieldErrorTexts } from '#src/ui/failures.ts'
import { SelectField, TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { SwitchField } from '#src/ui/switch-field.tsx'
import type { Block, BlockInput } from '../../console-contract.ts'
import { staffTexts } from '../../staff-texts.ts'
import { toolTexts } from '../../tool-texts.ts'
import type { StaffChat } from '../../values.ts'
import { blockHours } from '../../values.ts'
import { useSending } from './use-sending.ts'

type BlockDialogProps = { chat: StaffChat; hasAddress: boolean; onClose: () => void; onDone: () => void }

const reasonMax = 200

/** Keeps a visitor away: by what, why and for how long. */
export function BlockDialog({ chat, hasAddress, onClose, onDone }: BlockDialogProps) {
  const t = useTexts(toolTexts)
  const s = useTexts(staffTexts)
  const f = useTexts(failureTexts)
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
  const form = useSending(() => callApi<Block>('POST', '/api/chat/blocks', input), onDone)
  const isUnreasoned = input.reason.trim() === ''
  const isByNothing = !input.by_email && !input.by_address
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!isUnreasoned && !isByNothing) void form.submit()
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
          <Button type="submit" form={formId} variant="danger" busy={form.busy}>
            {t('blockDo')}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" noValidate onSubmit={handleSubmit}>
        <p>{t('blockHint')}</p>
        <div role="alert">
          {form.failure && <p className="font-bold text-err">{f(form.failure)}</p>}
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
