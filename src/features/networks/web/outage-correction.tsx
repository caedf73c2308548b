import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { isSame, mergeChanges } from '#src/lib/merge.ts'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Network, StaffIncident } from '../contract.ts'
import { outageTexts } from '../outage-texts.ts'
import { Touched } from './outage-elements.tsx'
import type { Api } from './outage-steps.tsx'
import { Bilingual, path } from './outage-steps.tsx'

const correctedFields = ({ title, title_en, severity, elements, meanwhile, meanwhile_en, version }: StaffIncident) => ({
  title,
  title_en,
  severity,
  elements,
  meanwhile,
  meanwhile_en,
  version,
})

type CorrectionFormProps = { networks: Network[]; incident: StaffIncident; api: Api }

/** Title, components and advice of a published outage; what was said in its updates stays as it was sent. */
export function CorrectionForm({ networks, incident, api }: CorrectionFormProps) {
  const t = useTexts(outageTexts)
  const { revalidate } = useRevalidator()
  const [stored, setStored] = useState(() => correctedFields(incident))
  const [values, setValues] = useState(stored)
  const [outcome, setOutcome] = useState<'corrected' | 'correctedMeanwhile' | null>(null)
  const change = (changes: Partial<typeof values>) => {
    setValues({ ...values, ...changes })
    setOutcome(null)
  }
  const takeOver = (current: StaffIncident) => {
    const theirs = correctedFields(current)
    setValues(mergeChanges(stored, values, theirs))
    setStored(theirs)
  }
  // A step that was published, or undone, meanwhile.
  if (incident.version > stored.version) takeOver(incident)
  const handleSave = async () => {
    try {
      const input = { ...values, next_update_at: incident.next_update_at }
      const saved = correctedFields(await callApi<StaffIncident>('PUT', `${path}/${incident.id_incident}`, input))
      setStored(saved)
      setValues(saved)
      setOutcome('corrected')
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || !error.problem.current) throw error
      takeOver(error.problem.current as StaffIncident)
      setOutcome('correctedMeanwhile')
    }
    await revalidate()
  }
  const isReady = !isSame(values, stored) && values.title.trim() !== '' && values.elements.length > 0
  return (
    <details className="mt-8">
      <summary className="text-xl font-bold">{t('correct')}</summary>
      <section className="mt-4 grid gap-4" aria-label={t('correct')}>
        <p className="text-ink-2">{t('correctHint')}</p>
        <div role="status">
          {outcome && (
            <p className={`rounded-card px-5 py-4 font-bold ${outcome === 'corrected' ? 'bg-ok-soft' : 'bg-warn-soft'}`}>
              {t(outcome)}
            </p>
          )}
        </div>
        <Touched networks={networks} values={values} onChange={change} />
        <Bilingual
          names={['title', 'title_en']}
          labels={[t('titleFr'), t('titleEn')]}
          values={values}
          before={stored}
          onChange={change}
        />
        <Bilingual
          names={['meanwhile', 'meanwhile_en']}
          labels={[t('meanwhileFr'), t('meanwhileEn')]}
          values={values}
          before={stored}
          onChange={change}
          isLong
          isOptional
        />
        <div>
          <Button disabled={api.busy || !isReady} onClick={() => void api.run(handleSave, {})}>
            {t('saveCorrection')}
          </Button>
        </div>
      </section>
    </details>
  )
}
