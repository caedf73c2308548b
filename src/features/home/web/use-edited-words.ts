import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { HomeWords } from './home-words.ts'
import { noWords } from './home-words.ts'

export type EditedWords = ReturnType<typeof useEditedWords>

/** Words that change in this page alone until they are published; they remember what they were written over. */
export function useEditedWords(stored: HomeWords | null, publish: (words: HomeWords) => Promise<unknown>) {
  const { revalidate } = useRevalidator()
  const [edited, setEdited] = useState<HomeWords | null>(null)
  const { id, version } = stored ?? noWords

  return {
    /** As the page shows them. */
    words: edited ?? stored,
    change: (changes: Partial<HomeWords>) => setEdited((current) => ({ ...(current ?? stored ?? noWords), ...changes })),
    tools: {
      isEdited: edited !== null,
      onDrop: () => setEdited(null),
      onPublish: async (anyway: boolean) => {
        if (!edited) return
        try {
          await publish(anyway ? { ...edited, id, version } : edited)
        } finally {
          // After a refusal too: what somebody else published is what a second attempt goes over.
          await revalidate()
        }
        setEdited(null)
      },
    },
  }
}
