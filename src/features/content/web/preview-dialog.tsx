import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../entry-texts.ts'
import { PreviewPair } from './preview-pair.tsx'

/** The button that shows an entry as visitors will see it, in both languages, before it is saved. */
export function PreviewButton({ children }: { children: (language: Language) => ReactNode }) {
  const e = useTexts(entryTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {e('preview')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} wide title={e('previewTitle')}>
        {isOpen && <PreviewPair>{children}</PreviewPair>}
      </Dialog>
    </>
  )
}
