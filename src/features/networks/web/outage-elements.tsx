import { useCallback, useEffect, useState } from 'react'
import { pickText } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { Link } from '#src/ui/components/link.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useLive } from '#src/ui/live/use-live.tsx'
import type { Incident, Network, StaffIncident } from '../contract.ts'
import { outageTexts, statusKeys } from '../outage-texts.ts'
import type { NetworkStatus } from '../values.ts'
import { detailStatuses, elementName, readDetails } from '../values.ts'
import { listPath, path } from './outage-steps.tsx'

type Elements = Incident['elements']
type Choice = { elements: Elements; severity?: Incident['severity'] }

type TouchedProps = {
  networks: Network[]
  values: Required<Choice>
  onChange: (changes: Choice) => void
}

/** The three icons of each component: one press selects the component and the severity. */
export function Touched({ networks, values: { elements, severity }, onChange }: TouchedProps) {
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const choose = (id_reseau: number, nom: string, status: NetworkStatus) => {
    const others = elements.filter((one) => one.id_reseau !== id_reseau || one.nom !== nom)
    if (status === 'OK') onChange({ elements: others })
    else onChange({ elements: [...others, { id_reseau, nom }], severity: status })
  }
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {networks.map((network) => {
        const of = network.nom || t('nameless')
        const named = readDetails(network.details).map((detail) => ({
          nom: elementName(detail),
          label: pickText(language, detail.nom, detail.nom_en),
        }))
        const rows = named.length > 0 ? named : [{ nom: '', label: of }]
        return (
          <fieldset key={network.id_reseau} className="card relative min-w-0 p-4">
            <legend className="sr-only">{of}</legend>
            <p className="pb-1 font-bold wrap-anywhere" aria-hidden="true">
              {of}
            </p>
            {rows.map(({ nom, label }) => {
              const isTouched = elements.some((one) => one.id_reseau === network.id_reseau && one.nom === nom)
              const chosen = isTouched ? severity : 'OK'
              return (
                <div key={nom} className="flex items-center justify-between gap-2" role="group" aria-label={label}>
                  <span>{label}</span>
                  <span className="flex">
                    {detailStatuses.map((status) => (
                      <button
                        key={status}
                        type="button"
                        className="button button-quiet button-icon"
                        aria-pressed={chosen === status}
                        aria-label={t('setStatus', { name: label, status: t(statusKeys[status]) })}
                        onClick={() => choose(network.id_reseau, nom, status)}
                      >
                        <StatusIcon status={status} muted={chosen !== status} />
                      </button>
                    ))}
                  </span>
                </div>
              )
            })}
          </fieldset>
        )
      })}
    </div>
  )
}

/** Public outages of the same components, also those that a colleague declares meanwhile. */
export function OpenOutages({ elements, except }: { elements: Elements; except: number | undefined }) {
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const [open, setOpen] = useState<StaffIncident[]>([])
  const refresh = useCallback(async () => {
    try {
      setOpen((await getJson<StaffIncident[]>(path)).filter(({ draft, resolved_at }) => !draft && !resolved_at))
    } catch (error) {
      // The server restarts or the session ended: the next change retries.
      console.warn(error)
    }
  }, [])
  useEffect(() => void refresh(), [refresh])
  useLive((area) => {
    if (area === 'networks' || area === null) void refresh()
  })
  const isTouched = ({ elements: theirs }: StaffIncident) =>
    theirs.some(({ id_reseau, nom }) => elements.some((own) => own.id_reseau === id_reseau && own.nom === nom))
  return (
    <div role="status">
      {open
        .filter((one) => one.id_incident !== except && isTouched(one))
        .map(({ id_incident, title, title_en }) => (
          <p key={id_incident} className="rounded-card bg-warn-soft px-5 py-4">
            <span>{t('alreadyOpen')}</span>{' '}
            <Link className="font-bold underline" to={`${listPath}/${id_incident}`}>
              {pickText(language, title, title_en)}
            </Link>
          </p>
        ))}
    </div>
  )
}
