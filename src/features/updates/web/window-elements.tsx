import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ElementReference } from '../contract.ts'
import { updaterTexts } from '../texts.ts'

/** A network as its API returns it; `details` is a JSON list. */
export type NamedNetwork = { id_reseau: number; nom: string; details: string }
type Named = ElementReference & { label: string }

/** Components of a network under the French name by which they are known everywhere. */
function readElements({ id_reseau, details }: NamedNetwork, language: Language): Named[] {
  const found = JSON.parse(details) as { nom: string; nom_en: string }[]
  return found.flatMap(({ nom, nom_en }) => {
    const name = nom.trim() || nom_en.trim()
    return name ? [{ id_reseau, nom: name, label: pickText(language, nom, nom_en).trim() || name }] : []
  })
}

/** The components in words, as `Téléphonie (Québec)`. */
export function nameElements(elements: readonly ElementReference[], networks: readonly NamedNetwork[], language: Language) {
  const names = elements.map(({ id_reseau, nom }) => {
    const network = networks.find((one) => one.id_reseau === id_reseau)
    const label = network && readElements(network, language).find((one) => one.nom === nom)?.label
    return nom ? `${label ?? nom} (${network?.nom ?? id_reseau})` : (network?.nom ?? String(id_reseau))
  })
  return names.toSorted((one, other) => one.localeCompare(other, language)).join(', ')
}

type WindowElementsProps = {
  networks: readonly NamedNetwork[]
  elements: readonly ElementReference[]
  disabled: boolean
  onChange: (elements: ElementReference[]) => void
}

/** Chooses what a maintenance interrupts: whole networks, or some of their components. */
export function WindowElements({ networks, elements, disabled, onChange }: WindowElementsProps) {
  const t = useTexts(updaterTexts)
  const language = useLanguage()
  const isChosen = (id: number, nom: string) => elements.some((one) => one.id_reseau === id && one.nom === nom)
  const toggle = (id: number, nom: string) => {
    // The whole network includes its components.
    const others = elements.filter((one) => one.id_reseau !== id || (nom !== '' && one.nom !== nom))
    onChange(isChosen(id, nom) ? others : [...others, { id_reseau: id, nom }])
  }
  if (networks.length === 0) return null
  return (
    <fieldset className="grid gap-4" disabled={disabled}>
      <legend className="font-bold">{t('elements')}</legend>
      <p className="max-w-prose text-sm text-ink-2">{t('elementsHint')}</p>
      <div className="grid gap-4 md:grid-cols-2">
        {networks.map((network) => {
          const { id_reseau: id, nom: name } = network
          const isWhole = isChosen(id, '')
          return (
            <fieldset key={id} className="card relative min-w-0 p-4">
              <legend className="sr-only">{name || t('nameless')}</legend>
              <p className="pb-1 font-bold wrap-anywhere" aria-hidden="true">
                {name || t('nameless')}
              </p>
              {[{ nom: '', label: t('wholeNetwork') }, ...readElements(network, language)].map(({ nom, label }) => (
                <label key={nom} className="flex items-center gap-3 py-1">
                  <input
                    type="checkbox"
                    checked={isWhole || isChosen(id, nom)}
                    disabled={isWhole && nom !== ''}
                    onChange={() => toggle(id, nom)}
                  />
                  <span>{label}</span>
                </label>
              ))}
            </fieldset>
          )
        })}
      </div>
    </fieldset>
  )
}
