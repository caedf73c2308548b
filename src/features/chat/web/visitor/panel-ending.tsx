import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { afterTexts } from '../../after-texts.ts'

/** Asked over a running conversation before it ends for good. */
export function EndQuestion({ onStay, onEnd }: { onStay: () => void; onEnd: () => Promise<void> }) {
  const t = useTexts(afterTexts)
  const id = useId()
  const [busy, setBusy] = useState(false)
  const stay = useRef<HTMLButtonElement>(null)
  // It loads after the panel looked for where to go on.
  useEffect(() => stay.current?.focus(), [])
  return (
    <div role="alertdialog" aria-labelledby={`${id}-title`} aria-describedby={`${id}-body`} className="chat-question">
      <h3 id={`${id}-title`}>{t('endTitle')}</h3>
      <p id={`${id}-body`} className="mt-1">
        {t('endBody')}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          variant="danger"
          busy={busy}
          onClick={() => {
            setBusy(true)
            void onEnd()
          }}
        >
          {t('endYes')}
        </Button>
        <Button ref={stay} variant="secondary" data-first="" onClick={onStay}>
          {t('endNo')}
        </Button>
      </div>
    </div>
  )
}
