import type { ComponentType } from 'react'
import { useEffect, useState } from 'react'
import type { ChatPanelProps } from './panel.tsx'

type Stage = 'shut' | 'loading' | 'open' | 'small' | 'failed'

/** Where the chat stands, and its panel once it is there: it loads when the stage is `loading`. */
export function usePanel(first: Stage) {
  const [Panel, setPanel] = useState<ComponentType<ChatPanelProps> | null>(null)
  const [stage, setStage] = useState(first)

  useEffect(() => {
    if (stage !== 'loading') return
    let isGone = false
    import('./panel.tsx').then(
      (loaded) => {
        if (isGone) return
        setPanel(() => loaded.ChatPanel)
        setStage('open')
      },
      () => !isGone && setStage('failed'),
    )
    return () => {
      isGone = true
    }
  }, [stage])

  return { Panel: stage === 'open' || stage === 'small' ? Panel : null, stage, setStage }
}
