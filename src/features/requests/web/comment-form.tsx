import { Button } from '#src/ui/components/button.tsx'
import { TextArea } from '#src/ui/forms/field.tsx'
import { useForm } from '#src/ui/forms/use-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'

/** An internal comment on a request. */
export function CommentForm({ id, onAdded }: { id: number; onAdded: () => void }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  const form = useForm({
    draftKey: `requests/${id}/comment`,
    fields: ['body'],
    loadSubmission: async () => {
      const { createCommentSubmission } = await import('./comment-submission.ts')
      return createCommentSubmission(id)
    },
    onSent: onAdded,
  })
  return (
    <form {...form.formProps} className="grid gap-3">
      <TextArea label={t('comment')} name="body" rows={3} required defaultValue="" error={form.errors.body?.[language]} />
      <div role="alert">
        {form.status === 'error' &&
          form.outcome?.lines.map((line) => (
            <p key={line.fr} className="font-bold text-err">
              {line[language]}
            </p>
          ))}
      </div>
      <Button type="submit" variant="secondary" busy={form.status === 'submitting'} className="justify-self-start">
        {t('addComment')}
      </Button>
    </form>
  )
}
