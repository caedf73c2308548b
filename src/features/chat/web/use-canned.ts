import { useEffect, useState } from 'react'
import { getJson } from '#src/ui/api.ts'
import type { CannedReply } from '../console-contract.ts'

/** The replies that are kept ready; asked for again when the page comes back in sight. */
export function useCanned(isSeen: boolean) {
  const [replies, setReplies] = useState<CannedReply[]>([])
  useEffect(() => {
    if (!isSeen) return
    getJson<CannedReply[]>('/api/chat/canned_replies').then(setReplies, (error: unknown) => console.warn(error))
  }, [isSeen])
  return replies
}
