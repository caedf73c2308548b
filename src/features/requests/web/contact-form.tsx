import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { contactFormTexts, formTexts } from '../form-texts.ts'
import { CountedTextArea, RequestFormFrame, useRequestForm } from './request-form.tsx'
import type { RequestFormProps } from './request-form.tsx'

/** The form of the contact page. */
export function ContactForm(props: RequestFormProps) {
  const t = useTexts(contactFormTexts)
  const shared = useTexts(formTexts)
  const form = useRequestForm('contact', props)
  return (
    <RequestFormFrame form={form} sendLabel={t('send')}>
      <TextField label={t('name')} autoComplete="name" {...form.field('name')} />
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField label={shared('email')} type="email" autoComplete="email" {...form.field('email')} />
        <TextField label={shared('phone')} type="tel" autoComplete="tel" {...form.field('phone')} />
      </div>
      <CountedTextArea label={t('message')} {...form.field('message')} />
    </RequestFormFrame>
  )
}
