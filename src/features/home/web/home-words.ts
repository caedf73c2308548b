import type { HomeInformation, HomeMessage } from '../contract.ts'

/** The banner or the panel as both are edited: their words in both languages, and what they were written over. */
export type HomeWords = {
  id: number | null
  version: number | undefined
  title: string
  title_en: string
  text: string
  text_en: string
}

export const noWords: HomeWords = { id: null, version: undefined, title: '', title_en: '', text: '', text_en: '' }

export function wordsOfMessage({ id_home_message: id, version, title, title_en, message, message_en }: HomeMessage): HomeWords {
  return { id, version, title, title_en, text: message, text_en: message_en }
}

export function wordsOfInformation(stored: HomeInformation): HomeWords {
  const { id_home_information: id, version, title, title_en, description, description_en } = stored
  return { id, version, title, title_en, text: description, text_en: description_en }
}
