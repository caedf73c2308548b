import type { ComponentType } from 'react'
import { useEffect, useState } from 'react'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from './panel-texts.ts'

type LazyComponentProps<P extends object> = { load: () => Promise<ComponentType<P>>; with: P }

/** A part of the panel that loads when it is first shown. `load` must be the same function each time. */
export function LazyComponent<P extends object>({ load, with: props }: LazyComponentProps<P>) {
  const t = useTexts(texts)
  const [Part, setPart] = useState<ComponentType<P> | null>(null)
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    let isGone = false
    load().then(
      (loaded) => !isGone && setPart(() => loaded),
      () => !isGone && setFailed(true),
    )
    return () => {
      isGone = true
    }
  }, [load])
  if (isFailed)
    return (
      <p role="alert" className="py-2 font-bold text-err">
        {t('broken')}
      </p>
    )
  return Part && <Part {...props} />
}
