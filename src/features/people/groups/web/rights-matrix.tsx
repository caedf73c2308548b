import { useFeatures } from '#src/features/content/web/use-features.ts'
import { areaLabel, areasOf } from '#src/lib/feature.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { groupTexts } from '../texts.ts'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight, levels } from '#src/lib/rights.ts'
import './groups.css'

type RightsMatrixProps = { rights: Rights; own: Rights; locked: boolean; onChange: (rights: Rights) => void }

/** One set of radio buttons an area: the arrow keys choose the level, Tab goes to the next area. */
export function RightsMatrix({ rights, own, locked, onChange }: RightsMatrixProps) {
  const t = useTexts(groupTexts)
  const language = useLanguage()
  const features = useFeatures()
  return (
    <fieldset className="min-w-0" disabled={locked}>
      <legend className="mb-3 text-xl font-extrabold">{t('rights')}</legend>
      <div className="card rights">
        <div className="rights-row rights-head" aria-hidden="true">
          <span>{t('area')}</span>
          {levels.map((level) => (
            <span key={level}>{t(level)}</span>
          ))}
        </div>
        {areasOf(features)
          .map((area) => [area, areaLabel(features, area)[language]] as const)
          .map(([area, name]) => (
            <div key={area} className="rights-row" role="radiogroup" aria-label={name}>
              <span className="font-bold">{name}</span>
              {levels.map((level) => (
                <label key={level} className="rights-choice">
                  <input
                    type="radio"
                    name={`rights-${area}`}
                    className="size-5 accent-brand"
                    aria-label={t('right', { area: name, level: t(level) })}
                    checked={(rights[area] ?? 'none') === level}
                    // Nobody gives a right that they do not hold.
                    disabled={!hasRight(own, area, level)}
                    onChange={() => onChange({ ...rights, [area]: level })}
                  />
                  <span className="rights-word" aria-hidden="true">
                    {t(level)}
                  </span>
                </label>
              ))}
            </div>
          ))}
      </div>
    </fieldset>
  )
}
