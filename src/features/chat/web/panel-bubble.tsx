import type { ReactNode } from 'react'

type BubbleProps = {
  isStaff?: boolean
  isFailed?: boolean
  name: string
  text: ReactNode
  lang?: string | undefined
  children: ReactNode
}

/** One message: who said it, what, and below when and what became of it. */
export function Bubble({ isStaff = false, isFailed = false, name, text, lang, children }: BubbleProps) {
  return (
    <div className={`chat-bubble ${isStaff ? 'chat-bubble-staff' : 'chat-bubble-own'} ${isFailed ? 'chat-bubble-failed' : ''}`}>
      <p className={isStaff ? 'text-sm font-bold' : 'sr-only'}>{name}</p>
      <div className="break-words whitespace-pre-wrap" lang={lang}>
        {text}
      </div>
      <p className="tabular text-xs">{children}</p>
    </div>
  )
}
