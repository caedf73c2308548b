import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useSaving } from '#src/ui/forms/use-saving.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { RequestDetail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'

type ContactDialogProps = { request: RequestDetail; onClose: () => void; onSaved: () => void }

/** Corrects how a customer is named and reached; the reason is recorded. */
export function ContactDialog({ request, onClose, onSaved }: ContactDialogProps) {
  const t = useTexts(requestThreadTexts)
  const formId = useId()
  const { busy, failure, errorOf, save } = useSaving()
  // After a refusal the user has read that somebody else made a change: the next save is meant.
  const [version, setVersion] = useState(request.version)
  const fieldProps = (name: 'firstname' | 'lastname' | 'email' | 'phone' | 'reason') => ({
    name,
    label: t(name),
    autoComplete: 'off',
    error: errorOf(name === 'reason' ? name : `contact.${name}`),
  })
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
    const { reason = '', ...contact } = values
    void save(
      async () => {
        await callApi('PUT', `/api/requests/requests/${request.id_request}`, { contact, reason, version })
        form.closest('dialog')?.close()
        onSaved()
      },
      ({ problem }) => {
        const current = problem.current as RequestDetail | undefined
        if (current) setVersion(current.version)
        return undefined
      },
    )
  }
  const [first = '', ...rest] = request.name.split(' ')
  const hasParts = request.firstname !== '' || request.lastname !== ''
  const initial = hasParts ? [request.firstname, request.lastname] : rest.length > 0 ? [first, rest.join(' ')] : ['', first]
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('correct')}
      actions={
        <>
          <Button variant="secondary" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {t('saveContact')}
          </Button>
        </>
      }
    >
      <form id={formId} method="post" noValidate onSubmit={handleSubmit} className="grid gap-4">
        <p className="text-ink-2">{t('contactHint')}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...fieldProps('firstname')} optional defaultValue={initial[0]} />
          <TextField {...fieldProps('lastname')} required defaultValue={initial[1]} />
        </div>
        <TextField {...fieldProps('email')} type="email" required defaultValue={request.email} />
        <TextField {...fieldProps('phone')} optional defaultValue={request.phone} />
        <TextField {...fieldProps('reason')} hint={t('reasonHint')} required />
        <div role="alert">{failure && <p className="font-bold text-err">{failure}</p>}</div>
      </form>
    </Dialog>
  )
}
