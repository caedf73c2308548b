import { useNavigate } from 'react-router'
import { EntryForm, LastChange, loadEntry } from '#src/features/content/web/entry-form.tsx'
import type { Changed } from '#src/features/content/web/conflict-dialog.tsx'
import { PublishedField } from '#src/features/content/web/publication-fields.tsx'
import { publicationTexts } from '#src/features/content/texts.ts'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { callApi } from '#src/ui/api.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import type { Network, NetworkDetail } from '../contract.ts'
import { renderNetworks } from '../status-html.ts'
import { adminNetworkTexts } from '../admin-texts.ts'
import { readDetails } from '../values.ts'
import type { Route } from './+types/admin-network-page.ts'
import { isKept, NetworkElements } from './network-elements.tsx'
import './networks.css'

type Values = { nom: string; status: Network['status']; details: NetworkDetail[]; publie: boolean; version?: number }

const listPath = '/admin/reseau'

/** The entry named by the address; none for a new one. */
export const clientLoader = ({ params }: Route.ClientLoaderArgs) => loadEntry<Network>('/api/networks/reseau', params.id_reseau)

export default function AdminNetworkPage({ loaderData: { entry: network, lastChange } }: Route.ComponentProps) {
  return <NetworkForm key={network?.id_reseau} network={network} lastChange={lastChange} />
}

type NetworkFormProps = { network?: Network; lastChange?: Changed | null }

/** Create: name and status; edit: the Éléments table too. Saving goes back to the list. */
function NetworkForm({ network, lastChange = null }: NetworkFormProps) {
  useRight(['networks'], 'read_write')
  const t = useTexts(adminNetworkTexts)
  const p = useTexts(publicationTexts)
  const navigate = useNavigate()
  const form = useEntryForm<Values, Network>({
    draftKey: `networks/${network?.id_reseau ?? 'new'}`,
    initial: network ? valuesOf(network) : { nom: '', status: '', details: [], publie: true },
    readCurrent: (current) => valuesOf(current as Network),
    save: ({ details, ...rest }) => {
      const input = { ...rest, details: JSON.stringify(details.filter(isKept)) }
      return network
        ? callApi('PUT', `/api/networks/reseau/${network.id_reseau}`, input)
        : callApi('POST', '/api/networks/reseau', input)
    },
    onSaved: () => void navigate(listPath),
    savedAs: (saved) => ({ name: saved.nom || t('nameless'), path: `/admin/reseau_edit/${saved.id_reseau}` }),
  })
  const { values, change } = form
  const { textOf } = useFieldProps(form)
  const language = useLanguage()
  const cardOf = (shown: Values) => {
    const network = { id_reseau: 0, ...shown, version: 0, details: JSON.stringify(shown.details) }
    const html = renderNetworks({ networks: [network], ribbons: [], incidents: [] }, language)
    return <RichText html={html} className="net-view net-icons" />
  }

  return (
    <EntryForm
      title={network ? network.nom || t('editTitle') : t('createTitle')}
      subtitle={<LastChange section={t('title')} change={lastChange} />}
      backTo={listPath}
      form={form}
      fields={[
        { key: 'nom', label: t('name') },
        {
          key: 'status',
          label: t('status'),
          show: (status: Values['status']) => (status === 'ONLINE' ? t('online') : t('offline')),
        },
        {
          key: 'details',
          label: t('elements'),
          show: (details: NetworkDetail[]) => (
            <ul>
              {details.map(({ nom, nom_en, statut }, index) => (
                <li key={index}>{[nom, nom_en, statut].filter(Boolean).join(' · ')}</li>
              ))}
            </ul>
          ),
        },
        { key: 'publie', label: p('published'), show: (publie: boolean) => p(publie ? 'published' : 'draft') },
      ]}
      preview={() => cardOf(values)}
    >
      <div className="grid gap-6 md:grid-cols-2">
        <TextField label={t('name')} optional hint={t('nameHint')} {...textOf('nom')} />
        <SelectField
          label={t('status')}
          optional
          value={values.status}
          onChange={(event) => change({ status: event.target.value as Network['status'] })}
        >
          <option value="">{t('none')}</option>
          <option value="ONLINE">{t('online')}</option>
          <option value="OFFLINE">{t('offline')}</option>
        </SelectField>
        <PublishedField form={form} missing={values.nom.trim() ? null : 'title'} />
      </div>
      {network && <NetworkElements details={values.details} onChange={(details) => change({ details })} />}
    </EntryForm>
  )
}

function valuesOf(network: Network): Values {
  return {
    nom: network.nom,
    status: network.status,
    details: readDetails(network.details),
    publie: network.publie,
    version: network.version,
  }
}
