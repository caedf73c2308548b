import type { Label } from '#src/lib/feature.ts'
import { areaLabel, findEntryKind, pathOfEntry } from '#src/lib/feature.ts'
import { useFeatures } from '#src/features/content/web/use-features.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { actionTexts, fieldTexts } from '../action-texts.ts'
import type { AuditEntry } from '../contract.ts'
import { texts } from '../texts.ts'
import { nameOf } from './differences.ts'

/** What areas, operations, fields and entries of the audit log are called, from what the features declare. */
export function useAuditLabels() {
  const t = useTexts(texts)
  const language = useLanguage()
  const features = useFeatures()
  const declared = (kind: 'actions' | 'fields') =>
    Object.assign({}, ...features.map(({ audit }) => audit?.[kind])) as Record<string, Label>
  const named = (labels: Record<string, Label>, name: string) => labels[name]?.[language] ?? name
  const actions = { ...labelsOf(actionTexts), ...declared('actions') }
  const fields = { ...labelsOf(fieldTexts), ...declared('fields') }
  const areas = [
    ...new Set(features.flatMap(({ areas, auditAreas }) => [...Object.keys(areas ?? {}), ...Object.keys(auditAreas ?? {})])),
  ]

  return {
    areas,
    actions: Object.keys(actions),
    fields: Object.keys(fields),
    areaName: (area: string) => areaLabel(features, area)[language],
    actionName: (action: string) => named(actions, action),
    fieldName: (field: string) => named(fields, field),
    /** By itself, by its kind, or by its number. */
    entryName({ area, entry_id: entryId, id_user, user_name, before, after }: AuditEntry) {
      const name = nameOf(after, before)
      if (name || !entryId) return name
      // Their own account, as when they sign in.
      if (area === 'users' && entryId === String(id_user)) return user_name
      const id = entryId.split('/').at(-1) ?? entryId
      return findEntryKind(features, area, entryId)?.label[language].replace('{id}', id) ?? t('entry', { id: entryId })
    },
    /** Rich text fields: shown without their tags. */
    richText: (area: string, entryId: string | null) => (entryId ? findEntryKind(features, area, entryId)?.richText : undefined),
    /** Null where the entry has no page. */
    entryPath(area: string, entryId: string | null) {
      return entryId && pathOfEntry(findEntryKind(features, area, entryId), entryId.split('/').at(-1) ?? '')
    },
  }
}

type Catalogue = Record<'fr' | 'en', Record<string, string>>

const labelsOf = ({ fr, en }: Catalogue): Record<string, Label> =>
  Object.fromEntries(Object.keys(fr).map((key) => [key, { fr: fr[key] ?? key, en: en[key] ?? key }]))
