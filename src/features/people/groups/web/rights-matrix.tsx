import { useTexts } from '#src/ui/language.tsx'
import { areaKey, groupTexts } from '../texts.ts'
import type { Rights } from '#src/lib/rights.ts'
import { areas, hasRight, levels } from '#src/lib/rights.ts'
import './groups.css'

type RightsMatrixProps = { rights: Rights; own: Rights; locked: boolean; onChange: (rights: Rights) => void }

/** One set of radio buttons an area: the arrow keys choose the level, Tab goes to the next area. */
export function RightsMatrix({ rights, own, locked, onChange }: RightsMatrixProps) {
  const t = useTexts(groupTexts)
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
        {areas.map((area) => (
          <div key={area} className="rights-row" role="radiogroup" aria-label={t(areaKey(area))}>
            <span className="font-bold">{t(areaKey(area))}</span>
            {levels.map((level) => (
              <label key={level} className="rights-choice">
                <input
                  type="radio"
                  name={`rights-${area}`}
                  className="size-5 accent-brand"
                  aria-label={t('right', { area: t(areaKey(area)), level: t(level) })}
                  checked={rights[area] === level}
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
