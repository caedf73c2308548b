import type { Label } from '#src/lib/feature.ts'
import type { StoredApplicationStatus } from './values.ts'

export const statusLabels: Record<StoredApplicationStatus, Label> = {
  new: { fr: 'Nouvelle', en: 'New' },
  reviewing: { fr: 'À l’étude', en: 'Under review' },
  interview: { fr: 'Entrevue', en: 'Interview' },
  accepted: { fr: 'Retenue', en: 'Accepted' },
  declined: { fr: 'Non retenue', en: 'Declined' },
  suspected: { fr: 'À vérifier', en: 'To verify' },
}
