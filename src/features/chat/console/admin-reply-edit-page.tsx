import type { Changed } from '#src/features/content/web/conflict-dialog.tsx'
import { callApi } from '#src/ui/api.ts'
import type { CannedReply, CannedInput } from '../contract.ts'
import type { Route } from './+types/admin-reply-edit-page.ts'
import { EntryForm, LastChange, loadEntry } from '#src/features/content/web/entry-form.tsx'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { visitorDetailsTexts } from './visitor-details-texts.ts'
import { chatMessageMax } from '../values.ts'

export const clientLoader = ({ params }: Route.ClientLoaderArgs) => loadEntry<CannedReply>(path, params.id_canned)

/** `/admin/chat/replies/new` and `/admin/chat/replies/:id_canned`. */
export default function AdminReplyEditPage({ loaderData: { entry: reply, lastChange } }: Route.ComponentProps) {
  return <ReplyForm key={reply?.id_canned} reply={reply} lastChange={lastChange} />
}

const home = '/admin/chat/replies'
const path = '/api/chat/canned_replies'
const shortcutMax = 40

type ReplyFormProps = { reply?: CannedReply; lastChange?: Changed | null }

/** A reply in both languages under its shortcut. */
function ReplyForm({ reply, lastChange = null }: ReplyFormProps) {
  useRight(['chat'], 'read_write')
  const t = useTexts(visitorDetailsTexts)
  const goBack = useBack(home)
  const form = useEntryForm<CannedInput, CannedReply>({
    draftKey: `canned/${reply?.id_canned ?? 'new'}`,
    initial: reply ? valuesOf(reply) : { shortcut: '', reply: '', reply_en: '' },
    readCurrent: (current) => valuesOf(current as CannedReply),
    save: (values) => (reply ? callApi('PUT', `${path}/${reply.id_canned}`, values) : callApi('POST', path, values)),
    onSaved: goBack,
    savedAs: (saved) => ({ name: `/${saved.shortcut}`, path: `${home}/${saved.id_canned}` }),
    required: ['shortcut', 'reply'],
  })
  const { change } = form
  const marks = useBilingual(form, !reply, reply?.english_older)('reply', 'reply_en')
  const { textOf } = useFieldProps(form, {
    taken: t('shortcutTaken'),
    'letters and digits only': t('shortcutWrong'),
  })

  return (
    <EntryForm
      title={reply ? t('repliesEdit') : t('repliesCreate')}
      subtitle={<LastChange section={t('repliesTitle')} change={lastChange} />}
      home={home}
      form={form}
      fields={[
        { key: 'shortcut', label: t('shortcut') },
        { key: 'reply', label: t('reply') },
        { key: 'reply_en', label: t('replyEn') },
      ]}
    >
      <div className="grid gap-6 md:grid-cols-2">
        <TextField
          className="md:col-span-2 md:max-w-md"
          label={t('shortcut')}
          hint={t('shortcutHint')}
          {...textOf('shortcut')}
          maxLength={shortcutMax + 1}
          autoComplete="off"
          spellCheck={false}
          // The slash may be typed and is not part of the shortcut.
          onChange={(event) => change({ shortcut: event.target.value.replace(/^\//, '') })}
        />
        <TextArea label={t('reply')} {...marks.french} {...textOf('reply')} rows={6} maxLength={chatMessageMax} />
        <TextArea label={t('replyEn')} {...marks.english} {...textOf('reply_en')} rows={6} maxLength={chatMessageMax} />
      </div>
    </EntryForm>
  )
}

function valuesOf({ shortcut, reply, reply_en, version }: CannedReply): CannedInput {
  return { shortcut, reply, reply_en, version }
}
