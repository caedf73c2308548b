import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { explainFieldError, failureOf, failureTexts, fieldErrorTexts } from '#src/ui/forms/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { RequestDetail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'

type ContactDialogProps = { request: RequestDetail; onClose: () => void; onSaved: () => void }

/** Corrects how a customer is named and reached; the reason is recorded. */
export function ContactDialog({ request, onClose, onSaved }: ContactDialogProps) {
  const t = useTexts(requestThreadTexts)
  const f = useTexts(failureTexts)
  const e = useTexts(fieldErrorTexts)
  const formId = useId()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  // After a refusal the user has read that somebody else made a change: the next save is meant.
  const [version, setVersion] = useState(request.version)
  const fieldProps = (name: 'firstname' | 'lastname' | 'email' | 'phone' | 'reason') => {
    const refusal = errors[name === 'reason' ? name : `contact.${name}`]
    return { name, label: t(name), autoComplete: 'off', error: refusal ? e(...explainFieldError(refusal)) : null }
  }
  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
    const { reason = '', ...contact } = values
    setBusy(true)
    setFailure('')
    setErrors({})
    try {
      const body = { contact, reason, version }
      await callApi('PUT', `/api/requests/requests/${request.id_request}`, body)
      form.closest('dialog')?.close()
      onSaved()
    } catch (error) {
      console.warn(error)
      const refused = error instanceof ApiError ? error.errors : []
      const current = error instanceof ApiError ? (error.problem.current as RequestDetail | undefined) : undefined
      if (current) setVersion(current.version)
      setErrors(Object.fromEntries(refused.map(({ path, message }) => [path, message])))
      setFailure(f(failureOf(error)))
    } finally {
      setBusy(false)
    }
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
      <form id={formId} method="post" noValidate onSubmit={(event) => void handleSubmit(event)} className="grid gap-4">
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
