import { useState } from 'react'
import { defineTexts } from '#src/lib/language/texts.ts'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { deviceStorage } from '#src/ui/storage.ts'

const singleKeyTexts = defineTexts({
  fr: {
    title: 'Clavier',
    intro:
      'La barre oblique (/) ouvre la recherche et, dans le clavardage, la touche ? affiche l’aide des raccourcis. Désactivez-les si vous dictez vos textes, ou si vous les activez par accident. Ce choix vaut pour cet appareil.',
    singleKeys: 'Permettre les raccourcis d’une seule touche (/ et ?)',
  },
  en: {
    title: 'Keyboard',
    intro:
      'The slash (/) opens the search and, in live chat, the ? key shows the keyboard shortcuts. Turn them off if you dictate your texts, or if you press them by accident. This choice applies to this device.',
    singleKeys: 'Allow single-key shortcuts (/ and ?)',
  },
})

const storageKey = 'single_key_shortcuts'

/** Shortcuts without Ctrl or Alt can be turned off (WCAG 2.1.4): speech input may type them. */
export const areSingleKeysOn = () => deviceStorage.read(storageKey) !== 'off'

/** On the profile of everybody. */
export function SingleKeysPanel() {
  const t = useTexts(singleKeyTexts)
  const [isOn, setOn] = useState(areSingleKeysOn)
  const choose = (next: boolean) => {
    deviceStorage.write(storageKey, next ? null : 'off')
    setOn(next)
  }
  return (
    <section aria-labelledby="keyboard" className="grid gap-4">
      <h2 id="keyboard" className="text-xl">
        {t('title')}
      </h2>
      <p className="text-ink-2">{t('intro')}</p>
      <SwitchField label={t('singleKeys')} checked={isOn} onChange={choose} />
    </section>
  )
}
