import { TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { contactFormTexts, formTexts } from '../texts.ts'
import type { PostedForm } from '../values.ts'
import { CountedTextArea } from './counted-text-area.tsx'
import { RequestFormFrame } from './request-form-frame.tsx'
import { useRequestForm } from './use-request-form.ts'

const fields = ['name', 'email', 'phone', 'message'] as const

type ContactFormProps = { posted: PostedForm | undefined; shownAt: string | null }

/** The form of the contact page (spec.md 2.4 and 5). */
export function ContactForm({ posted, shownAt }: ContactFormProps) {
  const t = useTexts(contactFormTexts)
  const shared = useTexts(formTexts)
  const form = useRequestForm({ kind: 'contact', fields, posted, shownAt })
  return (
    <RequestFormFrame form={form} label={t('formLabel')} sendLabel={t('send')} sentText={t('sent')}>
      <TextField label={t('name')} autoComplete="name" {...form.field('name')} />
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField label={shared('email')} type="email" autoComplete="email" {...form.field('email')} />
        <TextField label={shared('phone')} type="tel" autoComplete="tel" {...form.field('phone')} />
      </div>
      <CountedTextArea label={t('message')} {...form.field('message')} />
    </RequestFormFrame>
  )
}
