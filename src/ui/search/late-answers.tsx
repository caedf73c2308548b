import type { ComponentType } from 'react'
import { useEffect, useState } from 'react'
import { tabStorage } from '../storage.ts'
import type { AnswersProps } from './answers.tsx'

const shortest = 2
const readKey = 'read_pages'

/** What the search finds while a text is typed, from its second letter. Nothing where it does not load. */
export function LateAnswers(props: AnswersProps) {
  const [Answers, setAnswers] = useState<ComponentType<AnswersProps>>()
  const isWanted = props.text.trim().length >= shortest
  useEffect(() => {
    if (isWanted) import('./answers.tsx').then((loaded) => setAnswers(() => loaded.Answers), console.warn)
  }, [isWanted])
  return Answers && isWanted && <Answers {...props} />
}

/** Addresses of the articles that were read in this tab, the last first; they leave it when a conversation begins. */
export const readPages = () => (tabStorage.read(readKey) ?? '').split(' ').filter(Boolean)

export function noteRead(url: string) {
  tabStorage.write(readKey, [...new Set([url, ...readPages()])].slice(0, 10).join(' '))
}
