import { useCallback, useEffect, useState } from 'react'
import { getJson } from '#src/ui/api.ts'
import type { CannedReply } from '../../console-contract.ts'

/** The replies that are kept ready; a colleague may have added one since. */
export function useCanned(isWanted: boolean) {
  const [replies, setReplies] = useState<CannedReply[]>([])
  const refresh = useCallback(() => {
    if (!isWanted) return
    getJson<CannedReply[]>('/api/chat/canned_replies').then(setReplies, (error: unknown) => console.warn(error))
  }, [isWanted])
  useEffect(refresh, [refresh])
  return { replies, refresh }
}

export type Canned = ReturnType<typeof useCanned>
