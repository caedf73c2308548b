import type { Network } from '#src/features/networks/contract.ts'
import { readDetails } from '#src/features/networks/values.ts'
import type { NetworkStatus } from '#src/features/networks/values.ts'
import { pickText } from '#src/lib/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { StatusIcon } from '#src/ui/status-icon.tsx'
import { toolTexts } from '../../tool-texts.ts'

/** What is wrong with the networks now: often why somebody writes. */
export function ConsoleNetworks({ networks }: { networks: Network[] }) {
  const t = useTexts(toolTexts)
  const language = useLanguage()
  const troubles = networks.flatMap(({ nom, status, details }): { name: string; status: NetworkStatus }[] => [
    ...(status === 'OFFLINE' ? [{ name: nom, status: 'ERROR' as const }] : []),
    ...readDetails(details)
      .filter((detail) => detail.statut !== 'OK')
      .map((detail) => ({ name: `${nom} – ${pickText(language, detail.nom, detail.nom_en)}`, status: detail.statut })),
  ])
  if (troubles.length === 0) return null
  return (
    <section className="console-card">
      <h3 className="text-base">{t('network')}</h3>
      <ul className="grid gap-1">
        {troubles.map(({ name, status }) => (
          <li key={name} className="flex gap-2">
            <StatusIcon status={status} size={20} label={t(status)} className="mt-0.5" />
            {name}
          </li>
        ))}
      </ul>
    </section>
  )
}
