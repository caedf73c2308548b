import type { HomeInformation, HomeMessage } from '../contract.ts'

/** The banner or the panel while it is edited, in both languages, with the version it is based on. */
export type HomeDraft = {
  id: number | null
  version: number | undefined
  title: string
  title_en: string
  text: string
  text_en: string
}

export const emptyDraft: HomeDraft = { id: null, version: undefined, title: '', title_en: '', text: '', text_en: '' }

export function draftOfMessage({ id_home_message: id, version, title, title_en, message, message_en }: HomeMessage): HomeDraft {
  return { id, version, title, title_en, text: message, text_en: message_en }
}

export function draftOfInformation(stored: HomeInformation): HomeDraft {
  const { id_home_information: id, version, title, title_en, description, description_en } = stored
  return { id, version, title, title_en, text: description, text_en: description_en }
}
