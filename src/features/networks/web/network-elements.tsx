import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { locales } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { PlusIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { Table } from '#src/ui/components/table.tsx'
import type { NetworkDetail } from '../contract.ts'
import { adminNetworkTexts } from '../admin-texts.ts'
import type { NetworkStatus } from '../values.ts'
import { detailStatuses } from '../values.ts'

type NetworkElementsProps = { details: NetworkDetail[]; onChange: (details: NetworkDetail[]) => void }

const statusWords = { OK: 'ok', WARNING: 'warning', ERROR: 'error' } as const

/** What Ajouter appends. */
export const newElement: NetworkDetail = { nom: '', nom_en: '', statut: 'OK' }

/** A row that was added and left as it was is not saved; one with a state is, even without a name. */
export function isKept({ nom, nom_en, statut }: NetworkDetail) {
  return Boolean(nom.trim() || nom_en.trim()) || statut !== newElement.statut
}

/** The editable Éléments table: names, three icons of which a click sets one, Effacer, and Ajouter below. */
export function NetworkElements({ details, onChange }: NetworkElementsProps) {
  const t = useTexts(adminNetworkTexts)
  const rows = details.map((detail, index) => ({ ...detail, index, label: detail.nom || t('unnamed', { number: index + 1 }) }))
  const set = (index: number, changes: Partial<NetworkDetail>) =>
    onChange(details.map((detail, at) => (at === index ? { ...detail, ...changes } : detail)))
  const section = useRef<HTMLElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const handleAdd = () => {
    flushSync(() => onChange([...details, newElement]))
    section.current?.querySelector<HTMLElement>('tbody tr:last-child input')?.focus()
  }
  const handleRemove = (index: number) => {
    flushSync(() => onChange(details.filter((_, at) => at !== index)))
    // The button that was pressed is gone with its row.
    addButton.current?.focus()
  }

  return (
    <section ref={section} className="mt-8" aria-label={t('elements')}>
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 className="text-xl">{t('elements')}</h2>
        <Button ref={addButton} variant="secondary" size="small" onClick={handleAdd}>
          <PlusIcon />
          <span>{t('add')}</span>
        </Button>
      </div>
      {rows.length === 0 ? (
        <p className="text-ink-2">{t('noElements')}</p>
      ) : (
        <Table
          caption={t('elements')}
          rows={rows}
          rowKey={(row) => row.index}
          columns={[
            {
              header: t('elementName'),
              isText: true,
              cell: (row) => (
                <input
                  className="input"
                  aria-label={`${t('elementName')}, ${row.label}`}
                  value={row.nom}
                  maxLength={200}
                  onChange={(event) => set(row.index, { nom: event.target.value })}
                />
              ),
            },
            {
              header: t('elementNameEn'),
              isText: true,
              cell: (row) => (
                <input
                  className="input"
                  lang={locales.en}
                  aria-label={`${t('elementNameEn')}, ${row.label}`}
                  value={row.nom_en}
                  maxLength={200}
                  onChange={(event) => set(row.index, { nom_en: event.target.value })}
                />
              ),
            },
            {
              header: t('elementStatus'),
              cell: (row) => (
                <StatusChoice name={row.label} chosen={row.statut} onChoose={(statut) => set(row.index, { statut })} />
              ),
            },
          ]}
          actions={{
            header: t('removeElement', { name: '' }),
            cell: (row) => (
              <Button
                variant="danger"
                size="small"
                aria-label={t('removeElement', { name: row.label })}
                onClick={() => handleRemove(row.index)}
              >
                {t('removeElement', { name: '' }).trim()}
              </Button>
            ),
          }}
        />
      )}
    </section>
  )
}

type StatusChoiceProps = { name: string; chosen: NetworkStatus; onChoose: (status: NetworkStatus) => void }

function StatusChoice({ name, chosen, onChoose }: StatusChoiceProps) {
  const t = useTexts(adminNetworkTexts)
  return (
    <div role="group" aria-label={`${t('elementStatus')}, ${name}`} className="flex gap-1">
      {detailStatuses.map((status) => (
        <button
          key={status}
          type="button"
          className="button button-quiet button-icon"
          aria-pressed={chosen === status}
          title={t(statusWords[status])}
          aria-label={t('setStatus', { name, status: t(statusWords[status]) })}
          onClick={() => onChoose(status)}
        >
          <StatusIcon status={status} muted={chosen !== status} />
        </button>
      ))}
    </div>
  )
}
