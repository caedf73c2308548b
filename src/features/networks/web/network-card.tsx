import { pickText } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import type { Network } from '../contract.ts'
import { texts } from '../texts.ts'
import { detailStatuses, readDetails } from '../values.ts'

const statusWords = { OK: 'ok', WARNING: 'warning', ERROR: 'error' } as const

/** One network or data centre: its state, and a row an element with three columns of which one is lit. */
export function NetworkCard({ network }: { network: Network }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const details = readDetails(network.details)
  const isOffline = network.status === 'OFFLINE'
  const name = network.nom || t('nameless')
  const word = network.status === 'ONLINE' ? t('online') : isOffline ? t('offline') : t('unknown')
  return (
    <section className={`card @container overflow-x-auto ${isOffline ? 'border-2 border-err' : ''}`} aria-label={name}>
      <div className={`flex flex-wrap items-center justify-between gap-3 px-6 py-4 ${isOffline ? 'bg-err-soft' : ''}`}>
        <h2 className="text-xl">{name}</h2>
        <p className={`flex items-center gap-2 font-bold ${isOffline ? 'text-err' : network.status ? 'text-ok' : 'text-ink-2'}`}>
          {network.status && <StatusIcon status={isOffline ? 'ERROR' : 'OK'} size={20} />}
          <span key={word}>{word}</span>
        </p>
      </div>
      {details.length > 0 && (
        <table className="status-table">
          <caption className="sr-only">{t('details', { name })}</caption>
          <thead>
            <tr>
              <th scope="col">{t('element')}</th>
              {detailStatuses.map((status) => (
                <th key={status} scope="col">
                  {t(statusWords[status])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {details.map((detail, index) => (
              <tr key={index}>
                <th scope="row">{pickText(language, detail.nom, detail.nom_en)}</th>
                {detailStatuses.map((status) => {
                  const isCurrent = detail.statut === status
                  return (
                    <td key={status}>
                      <StatusIcon status={status} muted={!isCurrent} label={isCurrent ? t(statusWords[status]) : undefined} />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
