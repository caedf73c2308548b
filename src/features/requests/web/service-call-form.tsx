import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { formTexts } from '../form-texts.ts'
import { serviceCallTexts } from '../service-call-texts.ts'
import { CountedTextArea } from './counted-text-area.tsx'
import { RequestFormFrame } from './request-form-frame.tsx'
import type { RequestFormProps } from './use-request-form.ts'
import { useRequestForm } from './use-request-form.ts'

/** The online service call. */
export function ServiceCallForm(props: RequestFormProps) {
  const t = useTexts(serviceCallTexts)
  const shared = useTexts(formTexts)
  const form = useRequestForm('support', props)
  return (
    <RequestFormFrame form={form} sendLabel={t('send')} withUsername>
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
