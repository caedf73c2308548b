import type { FormEvent } from 'react'
import { useId } from 'react'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useSaving } from '#src/ui/forms/use-saving.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { VisitorChange } from '../contract.ts'
import type { StaffChat } from '../protocol.ts'
import { consoleTexts } from './console-texts.ts'
import { visitorDetailsTexts } from './visitor-details-texts.ts'

type ContactDialogProps = { chat: StaffChat; onClose: () => void; onDone: () => void }

/** Corrects how a visitor is named and reached; the reason is recorded. */
export function ContactDialog({ chat, onClose, onDone }: ContactDialogProps) {
  const t = useTexts(visitorDetailsTexts)
  const s = useTexts(consoleTexts)
  const formId = useId()
  const { busy, failure, errorOf, save } = useSaving()
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const valueOf = (name: string) => String(data.get(name) ?? '').trim()
    const body: VisitorChange = {
      contact: { name: valueOf('name'), email: valueOf('email'), business: valueOf('business') },
      reason: valueOf('reason'),
    }
    void save(async () => {
      await callApi('PUT', `/api/chat/chats/${chat.id}`, body)
      // The focus returns to the button that opened it.
      form.closest('dialog')?.close()
      onDone()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('correct')}
      actions={
        <>
          <Button variant="secondary" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            {s('cancel')}
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {t('saveContact')}
          </Button>
        </>
      }
    >
      <form id={formId} method="post" className="grid gap-4" noValidate onSubmit={handleSubmit} translate="no">
        <p>{t('contactHint')}</p>
        <div role="alert">{failure && <p className="font-bold text-err">{failure}</p>}</div>
        <TextField
          label={t('name')}
          name="name"
          defaultValue={chat.client_name}
          maxLength={200}
          required
          autoFocus
          autoComplete="off"
          error={errorOf('contact.name')}
        />
        <TextField
          label={s('email')}
          name="email"
          type="email"
          defaultValue={chat.client_email}
          maxLength={254}
          required
          autoComplete="off"
          error={errorOf('contact.email')}
        />
        <TextField
          label={s('business')}
          name="business"
          defaultValue={chat.client_business}
          maxLength={200}
          optional
          autoComplete="off"
          error={errorOf('contact.business')}
        />
        <TextField
          label={t('contactReason')}
          hint={t('contactReasonHint')}
          name="reason"
          maxLength={200}
          required
          autoComplete="off"
          error={errorOf('reason')}
        />
      </form>
    </Dialog>
  )
}
