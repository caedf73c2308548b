import { formatDateTime } from '#src/lib/time/date-time.ts'
import { Button } from '#src/ui/components/button.tsx'
import { TextArea } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useForm } from '#src/ui/forms/use-form.ts'
import { adminRequestTexts } from '../admin-texts.ts'
import type { RequestDetail } from '../contract.ts'

type RequestCommentsProps = { request: RequestDetail; canWrite: boolean; onAdded: () => void }

/** Internal comments on a request; visitors never see them. */
export function RequestComments({ request, canWrite, onAdded }: RequestCommentsProps) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  return (
    <section aria-label={t('comments')}>
      <h2 className="mb-3 text-xl">{t('comments')}</h2>
      {request.comments.length === 0 && <p className="mb-4 text-ink-2">{t('noComments')}</p>}
      <ul className="grid gap-3">
        {request.comments.map((comment) => (
          <li key={comment.id_comment} className="rounded-card bg-warn-soft px-5 py-4">
            <p className="text-sm text-ink-2">
              <strong className="text-ink">{comment.user_name}</strong>{' '}
              <time dateTime={comment.created_at}>{formatDateTime(comment.created_at, language)}</time>
            </p>
            <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{comment.body}</p>
          </li>
        ))}
      </ul>
      {canWrite && <CommentForm id={request.id_request} onAdded={onAdded} />}
    </section>
  )
}

function CommentForm({ id, onAdded }: { id: number; onAdded: () => void }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  const form = useForm({
    draftKey: `requests/${id}/comment`,
    fields: ['body'],
    loadWork: async () => {
      const { createCommentWork } = await import('./comment-work.ts')
      return createCommentWork(id)
    },
    onSent: onAdded,
  })
  return (
    <form {...form.formProps} className="mt-5 grid gap-3">
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
