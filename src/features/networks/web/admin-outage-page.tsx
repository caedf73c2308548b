import { useState } from 'react'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useRight, useRights } from '#src/features/content/web/admin-context.ts'
import { pickText } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { getJson } from '#src/ui/api.ts'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { Network, StaffIncident } from '../contract.ts'
import { outageTexts } from '../outage-texts.ts'
import { renderIncident } from '../status-html.ts'
import { elementName, readDetails } from '../values.ts'
import type { Route } from './+types/admin-outage-page.ts'
import { CorrectionForm } from './outage-correction.tsx'
import { OutageForm } from './outage-form.tsx'
import type { CarriedTexts } from './outage-steps.tsx'
import { listPath, path, UpdateForm } from './outage-steps.tsx'
import './networks.css'

export async function clientLoader({ request, params: { id_incident: id } }: Route.ClientLoaderArgs) {
  const [networks, incident] = await Promise.all([
    getJson<Network[]>('/api/networks/reseau'),
    id ? getJson<StaffIncident>(`${path}/${encodeURIComponent(id)}`) : null,
  ])
  return { networks, incident, named: findNamed(networks, new URL(request.url).searchParams) }
}

/** The component that the address names, for an outage that begins with it. */
function findNamed(networks: readonly Network[], asked: URLSearchParams) {
  const network = networks.find(({ id_reseau }) => String(id_reseau) === asked.get('reseau'))
  const nom = asked.get('element') ?? ''
  const names = network ? readDetails(network.details).map(elementName) : []
  const isThere = nom === '' ? names.length === 0 : names.includes(nom)
  return network && isThere ? { id_reseau: network.id_reseau, nom } : null
}

/** Declares an outage, or follows one that is published. */
export default function AdminOutagePage({ loaderData: { networks, incident, named } }: Route.ComponentProps) {
  useRight(['networks'], 'read_only')
  const canWrite = hasRight(useRights(), 'networks', 'read_write')
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const api = useAction()
  const [carried, setCarried] = useState<{ of: number; texts: CarriedTexts }>()
  const title = incident ? pickText(language, incident.title, incident.title_en) || t('draft') : t('declare')
  const isForm = canWrite && (!incident || incident.draft)
  return (
    <>
      {isForm ? (
        <OutageForm
          key={`${incident?.id_incident} ${incident?.version} ${named?.id_reseau} ${named?.nom}`}
          title={title}
          networks={networks}
          incident={incident}
          named={named}
          api={api}
          onCarry={(of, texts) => setCarried({ of, texts })}
        />
      ) : (
        <AdminHead title={title} subtitle={t('listTitle')} backTo={listPath} />
      )}
      {incident && !incident.draft && (
        <>
          <RichText html={renderIncident(incident, networks, language, { isPage: true })} className="" />
          {canWrite && (
            <UpdateForm
              key={`${incident.id_incident} ${incident.number}`}
              networks={networks}
              incident={incident}
              api={api}
              carried={carried?.of === incident.id_incident ? carried.texts : undefined}
            />
          )}
          {canWrite && !incident.resolved_at && (
            <CorrectionForm
              key={`${incident.id_incident} ${incident.number}`}
              networks={networks}
              incident={incident}
              api={api}
            />
          )}
        </>
      )}
      <Toast {...api.toast} />
    </>
  )
}
