import { useSyncExternalStore } from 'react'
import { defineTexts } from '#src/lib/language/texts.ts'
import { useTexts } from '../language.tsx'
import { deviceStorage, tabStorage } from '../storage.ts'

const texts = defineTexts({
  fr: {
    unstored:
      'Ce navigateur ne peut pas conserver vos brouillons : ce qui n’est pas envoyé ou sauvegardé disparaîtra si vous rechargez ou fermez cet onglet.',
  },
  en: {
    unstored: 'This browser cannot keep your drafts: what is not sent or saved will be lost if you reload or close this tab.',
  },
})

/** How the keys of drafts begin, of all forms and of the chat. */
const draftKey = /^(?:chat_)?draft:/

/** Whether a draft is in memory alone, because the browser refuses storage or has no room left. */
export function hasUnstoredDraft() {
  return [tabStorage, deviceStorage].some(({ memory }) =>
    [...memory].some(([key, value]) => value !== null && draftKey.test(key)),
  )
}

const checkedEveryMs = 500

/** The storage has no event for it, because the public pages would load the code for it. */
function subscribe(listener: () => void) {
  const timer = setInterval(listener, checkedEveryMs)
  return () => clearInterval(timer)
}

/** Notice that a reload loses the current text. `isUnstored`: also for another reason than a draft. */
export function UnstoredNotice({ isUnstored = false }: { isUnstored?: boolean }) {
  const t = useTexts(texts)
  const isDraftUnstored = useSyncExternalStore(subscribe, hasUnstoredDraft, () => false)
  return (
    <div role="status">
      {(isUnstored || isDraftUnstored) && <p className="bg-warn-soft px-5 py-2 text-sm text-warn">{t('unstored')}</p>}
    </div>
  )
}
