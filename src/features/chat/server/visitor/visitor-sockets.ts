import type { App } from '#src/server/types.ts'
import { chatOfRoom } from '../namespaces.ts'
import { serveArrivals } from './visitor-arrivals.ts'
import { serveConversation } from './visitor-conversation.ts'
import type { VisitorSide } from './visitor-side.ts'

type Sides = Omit<VisitorSide, 'app' | 'socket'>

/**
 * The visitor's side: events and payloads of spec.md 7, each acknowledged (contract.md 5). Opening the chat and typing
 * record nothing: a conversation begins with `chat:connect`, when the visitor sends the form with their name, under the
 * line that says what is kept and for how long.
 */
export function serveVisitors(app: App, sides: Sides) {
  const { visitors, news, queue } = sides
  visitors.on('connection', (socket) => {
    serveArrivals({ app, socket, ...sides })
    serveConversation({ app, socket, ...sides })
    socket.on('disconnecting', () => {
      for (const room of socket.rooms) {
        const id = chatOfRoom(room)
        if (id) news.tell(id)
        if (id) queue.tell()
      }
    })
  })
}
