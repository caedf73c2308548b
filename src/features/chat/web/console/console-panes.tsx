import type { StaffChat } from '../../values.ts'
import type { ConsolePaneProps } from './console-pane.tsx'
import { ConsolePane } from './console-pane.tsx'
import { ConsoleTabs } from './console-tabs.tsx'

type ConsolePanesProps = Omit<ConsolePaneProps, 'chat' | 'isCurrent' | 'onFocus' | 'onPutAway' | 'onOpen'> & {
  chats: StaffChat[]
  /** Ids of those that are in sight. */
  shown: number[]
  current: number
  onOpen: (id: number) => void
  onFocus: (id: number) => void
  onPutAway: (id: number) => void
}

/** The conversations that are open, side by side as far as there is room. */
export function ConsolePanes({ chats, shown, current, onOpen, onFocus, onPutAway, ...pane }: ConsolePanesProps) {
  return (
    <div className="console-middle">
      {chats.length > 1 && <ConsoleTabs chats={chats} shown={shown} current={current} onOpen={onOpen} />}
      <div className="console-panes">
        {chats
          .filter(({ id }) => shown.includes(id))
          .map((chat) => (
            <ConsolePane
              key={chat.id}
              {...pane}
              chat={chat}
              isCurrent={chat.id === current}
              onFocus={() => onFocus(chat.id)}
              onPutAway={() => onPutAway(chat.id)}
              onOpen={onOpen}
            />
          ))}
      </div>
    </div>
  )
}
