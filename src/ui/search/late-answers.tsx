import type { ComponentType } from 'react'
import { useEffect, useState } from 'react'
import type { AnswersProps } from './answers.tsx'

const shortest = 2

/** What the search finds while a text is typed, from its second letter. Nothing where it does not load. */
export function LateAnswers(props: AnswersProps) {
  const [Answers, setAnswers] = useState<ComponentType<AnswersProps>>()
  const isWanted = props.text.trim().length >= shortest
  useEffect(() => {
    if (isWanted) import('./answers.tsx').then((loaded) => setAnswers(() => loaded.Answers), console.warn)
  }, [isWanted])
  return Answers && isWanted && <Answers {...props} />
}
