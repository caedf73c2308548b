import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { pickText } from '#src/lib/language/language.ts'
import { callApi } from '#src/ui/api.ts'
import { useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { useFieldProps } from '#src/ui/forms/use-field-props.ts'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeMessage, HomeMessageInput } from '../contract.ts'
import { HomeAlarm } from './home-alarm.tsx'
import { HomeEditor } from './home-editor.tsx'

type Values = HomeMessageInput & { id: number | null }

const path = '/api/home_messages/home_message'
const blank: Values = { id: null, title: '', title_en: '', message: '', message_en: '' }

/** The red code as it is edited; saving creates it or changes the one there is, then goes back. */
export function useMessageForm(current: HomeMessage | null) {
  return useEntryForm<Values, HomeMessage>({
    draftKey: 'home_message',
    initial: current ? valuesOf(current) : blank,
    readCurrent: (stored) => valuesOf(stored as HomeMessage),
    save: ({ id, ...input }) => (id ? callApi('PUT', `${path}/${id}`, input) : callApi('POST', path, input)),
    onSaved: useBack('/admin/panel'),
  })
}

type MessageEditorProps = { form: ReturnType<typeof useMessageForm>; current: HomeMessage | null }

/** First part of `/admin/notes`. */
export function MessageEditor({ form, current }: MessageEditorProps) {
  const t = useTexts(adminHomeTexts)
  const { values } = form
  const { richTextOf } = useFieldProps(form)
  const marks = useBilingual(form, !current, current?.english_older)('message', 'message_en')
  const showHtml = (html: string) => <RichText html={html} />
  return (
    <HomeEditor
      name="message"
      title={t('messageTitle')}
      hint={t('messageHint')}
      form={form}
      isShown={current !== null && current.message !== ''}
      remove={current && (() => callApi('DELETE', `${path}/${current.id_home_message}`))}
      saveLabel={t('saveMessage')}
      confirmTitle={t('confirmMessage')}
      blank={blank}
      preview={(language) => <HomeAlarm message={pickText(language, values.message, values.message_en)} />}
      fields={[
        { key: 'message', label: t('message'), show: showHtml },
        { key: 'message_en', label: t('messageEn'), show: showHtml },
      ]}
    >
      <RichTextField label={t('message')} {...marks.french} {...richTextOf('message')} />
      <RichTextField label={t('messageEn')} {...marks.english} {...richTextOf('message_en')} />
    </HomeEditor>
  )
}

function valuesOf({ id_home_message: id, title, title_en, message, message_en, version }: HomeMessage): Values {
  return { id, title, title_en, message, message_en, version }
}
