import type { ReactNode } from 'react'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { locales } from '#src/lib/language/language.ts'
import { callApi } from '#src/ui/api.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeInformation, HomeMessage } from '../contract.ts'
import { EditInPlace } from './edit-in-place.tsx'
import type { HomeWords } from './home-words.ts'
import { noWords, wordsOfInformation, wordsOfMessage } from './home-words.ts'
import type { EditedWords } from './use-edited-words.ts'
import { useEditedWords } from './use-edited-words.ts'

export type HomeEditingProps = {
  message: HomeMessage | undefined
  information: HomeInformation | undefined
  /** The page around what is edited, with the words as they are now. */
  children: (shown: {
    message: HomeWords | null
    information: HomeWords | null
    messageTools?: ReactNode
    informationTools?: ReactNode
  }) => ReactNode
}

/** The red code and the information panel edited where they stand; the edit stays in the page until it is published. */
export function HomeEditing({ message, information, children }: HomeEditingProps) {
  const t = useTexts(adminHomeTexts)
  const editedMessage = useEditedWords(message ? wordsOfMessage(message) : null, ({ text, text_en, ...rest }) =>
    publish('/api/home_messages/home_message', { ...rest, message: text, message_en: text_en }),
  )
  const editedInformation = useEditedWords(information ? wordsOfInformation(information) : null, ({ text, text_en, ...rest }) =>
    publish('/api/home_informations/home_information', { ...rest, description: text, description_en: text_en }),
  )

  return (
    <>
      {children({
        message: editedMessage.words,
        information: editedInformation.words,
        messageTools: (
          <EditInPlace title={t('messageTitle')} {...editedMessage.tools}>
            <HomeWordsFields edited={editedMessage} label={t('message')} />
          </EditInPlace>
        ),
        informationTools: (
          <EditInPlace title={t('informationTitle')} {...editedInformation.tools}>
            <HomeWordsFields edited={editedInformation} label={t('description')} titleLabel={t('title')} />
          </EditInPlace>
        ),
      })}
      <LeaveGuard when={editedMessage.tools.isEdited || editedInformation.tools.isEdited} />
    </>
  )
}

function publish(path: string, { id, ...body }: Pick<HomeWords, 'id'> & Record<string, unknown>) {
  return id === null ? callApi('POST', path, body) : callApi('PUT', `${path}/${id}`, body)
}

type HomeWordsFieldsProps = {
  edited: EditedWords
  label: string
  /** Left out where there is no title to edit. */
  titleLabel?: string
}

/** The words in the language of the page; those of the other language stay as they are. */
function HomeWordsFields({ edited, label, titleLabel }: HomeWordsFieldsProps) {
  const language = useLanguage()
  const words = edited.words ?? noWords
  const title = language === 'fr' ? 'title' : 'title_en'
  const text = language === 'fr' ? 'text' : 'text_en'
  return (
    <div className="grid gap-5">
      {titleLabel && (
        <TextField
          label={titleLabel}
          value={words[title]}
          lang={locales[language]}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => edited.change({ [title]: event.target.value })}
        />
      )}
      <RichTextField
        key={language}
        label={label}
        lang={locales[language]}
        value={words[text]}
        onChange={(html) => edited.change({ [text]: html })}
      />
    </div>
  )
}
