import type { QueuePlace } from '../values.ts'
import type { ChatState } from './visitor-state.ts'

const typingShown = 4_000

/** What the panel shows for a while: that a technician types, and the apology once nobody answered in time. */
export function createMoments(set: (change: Partial<ChatState>) => void) {
  let typing: ReturnType<typeof setTimeout> | undefined
  let apology: ReturnType<typeof setTimeout> | undefined
  return {
    typing(name: string) {
      clearTimeout(typing)
      set({ typingName: name })
      typing = setTimeout(() => set({ typingName: null }), typingShown)
    },
    place(queue: QueuePlace) {
      clearTimeout(apology)
      set({ queue, isUnanswered: queue.no_answer_in === 0 })
      if (queue.no_answer_in) apology = setTimeout(() => set({ isUnanswered: true }), queue.no_answer_in)
    },
    answered() {
      clearTimeout(apology)
      set({ typingName: null, isUnanswered: false })
    },
    stop() {
      clearTimeout(typing)
      clearTimeout(apology)
    },
  }
}
