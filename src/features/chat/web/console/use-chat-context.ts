import { useCallback, useEffect, useState } from 'react'
import type { Network } from '#src/features/networks/contract.ts'
import { getJson } from '#src/ui/api.ts'
import type { ChatContext } from '../../console-contract.ts'

/** What is known of the person of a chat, and how the networks do; asked for again by `reload`. */
export function useChatContext(id: number) {
  const [context, setContext] = useState<ChatContext | null>(null)
  const [networks, setNetworks] = useState<Network[]>([])
  const reload = useCallback(async () => {
    const [found, all] = await Promise.all([
      getJson<ChatContext>(`/api/chat/chats/${id}/context`),
      getJson<Network[]>('/api/networks/reseau'),
    ])
    setContext(found)
    setNetworks(all)
  }, [id])
  useEffect(() => {
    reload().catch((error: unknown) => console.warn(error))
  }, [reload])
  return { context, networks, reload }
}
