import { TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { formTexts, serviceCallTexts } from '../texts.ts'
import type { PostedForm } from '../values.ts'
import { CountedTextArea } from './counted-text-area.tsx'
import { RequestFormFrame } from './request-form-frame.tsx'
import { useRequestForm } from './use-request-form.ts'

const fields = ['firstname', 'lastname', 'email', 'phone', 'subject', 'description'] as const

type ServiceCallFormProps = { posted: PostedForm | undefined; shownAt: string | null }

/** The online service call (spec.md 2.4 and 5). */
export function ServiceCallForm({ posted, shownAt }: ServiceCallFormProps) {
  const t = useTexts(serviceCallTexts)
  const shared = useTexts(formTexts)
  const form = useRequestForm({ kind: 'support', fields, posted, shownAt })
  return (
    <RequestFormFrame form={form} label={t('formLabel')} sendLabel={t('send')} sentText={t('sent')} withUsername>
      <input type="hidden" name="action" value="send_request" readOnly />
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField label={t('firstname')} autoComplete="given-name" {...form.field('firstname')} />
        <TextField label={t('lastname')} autoComplete="family-name" {...form.field('lastname')} />
        <TextField label={shared('email')} type="email" autoComplete="email" {...form.field('email')} />
        <TextField label={shared('phone')} type="tel" autoComplete="tel" {...form.field('phone')} />
      </div>
      <TextField label={t('subject')} {...form.field('subject')} />
      <CountedTextArea label={t('descriptionLabel')} hint={t('descriptionTip')} {...form.field('description')} />
    </RequestFormFrame>
  )
}
