import type { ReactNode } from 'react'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { callApi } from '#src/ui/api.ts'
import { useTexts } from '#src/ui/language.tsx'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeInformation, HomeMessage } from '../contract.ts'
import { EditInPlace } from './edit-in-place.tsx'
import type { HomeWords } from './home-words.ts'
import { wordsOfInformation, wordsOfMessage } from './home-words.ts'
import { HomeWordsFields } from './home-words-fields.tsx'
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
