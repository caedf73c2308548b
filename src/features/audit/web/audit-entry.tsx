import { useFeatures, useRights } from '#src/features/content/web/admin-context.ts'
import type { Label } from '#src/lib/feature.ts'
import { areaLabel, findEntryKind, labelsOf, needsOf, pathOfEntry } from '#src/lib/feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { ChevronIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { AuditEntry } from '../contract.ts'
import { texts, actionTexts } from '../texts.ts'
import { versionTexts } from '#src/features/content/versions/texts.ts'
import { sampleAuthor } from '../values.ts'
import { DifferenceList, useFieldLabels } from '#src/features/content/versions/web/difference-list.tsx'
import { findDifferences } from '#src/features/content/versions/web/differences.ts'

const tones: Record<string, 'ok' | 'brand' | 'err' | 'warn'> = { create: 'ok', update: 'brand', delete: 'err', restore: 'warn' }

type AuditEntryItemProps = {
  entry: AuditEntry
  /** Null where the user may not undo it. */
  onUndo: (() => void) | null
  /** Null where it is no former version that the user may take over. */
  onReuse: (() => void) | null
}

/** One event: time, author, address, action, entry and differences. */
export function AuditEntryItem({ entry, onUndo, onReuse }: AuditEntryItemProps) {
  const t = useTexts(texts)
  const v = useTexts(versionTexts)
  const names = useAuditLabels()
  const language = useLanguage()
  const { area, action, entry_id: entryId, before, after } = entry
  const differences = findDifferences(before, after, {
    order: names.fields,
    richText: names.richText(area, entryId),
    nameValue: names.valueName,
  })
  const page = names.entryPath(area, entryId)
  return (
    <li className="grid gap-3 border-t border-line px-5 py-4 first:border-t-0 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="text-sm text-ink-2">
        <time dateTime={entry.at} className="block font-bold text-ink">
          {formatDateTime(entry.at, language)}
        </time>
        <span>{entry.user_name === sampleAuthor ? t('sampleData') : entry.user_name || t('product')}</span>
        {entry.address && <span className="tabular">{` · ${entry.address}`}</span>}
      </div>
      <div className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={tones[action] ?? 'neutral'}>{names.actionName(action)}</Badge>
          <span className="text-ink-2">{names.areaName(area)}</span>
          <strong className="wrap-anywhere">{names.entryName(entry)}</strong>
          <p className="flex grow flex-wrap items-center justify-end gap-x-5 gap-y-1 text-sm">
            {entryId && (
              <Link to={`/admin/journal?${String(new URLSearchParams({ area, entry: entryId }))}`} className="audit-link">
                {t('history')}
              </Link>
            )}
            {page && action !== 'delete' && (
              <Link to={page} className="audit-link">
                {t('open')}
              </Link>
            )}
            {onUndo && (
              <Button variant="secondary" size="small" onClick={onUndo}>
                {t('undo')}
              </Button>
            )}
            {onReuse && (
              <Button
                variant="secondary"
                size="small"
                aria-label={v('reuseNamed', {
                  version: v('versionBy', { when: formatDateTime(entry.at, language), name: entry.user_name || v('product') }),
                })}
                onClick={onReuse}
              >
                {v('reuse')}
              </Button>
            )}
          </p>
        </div>
        {entry.is_erased && <p className="text-sm text-ink-2">{t('erased')}</p>}
        {differences.length > 0 && (
          <details className="min-w-0">
            <summary className="inline-flex min-h-6 items-center gap-1 font-bold text-brand">
              <span>{t(before && after ? 'seeChanges' : 'seeContent')}</span>
              <ChevronIcon size={16} className="menu-sign" />
            </summary>
            <DifferenceList differences={differences} isChange={Boolean(before && after)} />
          </details>
        )}
      </div>
    </li>
  )
}

type Named = Pick<AuditEntry, 'area' | 'entry_id' | 'id_user' | 'user_name' | 'name'>

/** Labels of areas, operations, fields and entries in the audit log, as the features declare them. */
export function useAuditLabels() {
  const t = useTexts(texts)
  const language = useLanguage()
  const features = useFeatures()
  const rights = useRights()
  const { fields, fieldName, valueName } = useFieldLabels()
  const named = (labels: Record<string, Label>, name: string) => labels[name]?.[language] ?? name
  const declared = Object.assign({}, ...features.map(({ audit }) => audit?.actions)) as Record<string, Label>
  const actions = { ...labelsOf(actionTexts), ...declared }
  const areas = [
    ...new Set(features.flatMap(({ areas, auditAreas }) => [...Object.keys(areas ?? {}), ...Object.keys(auditAreas ?? {})])),
  ]

  return {
    areas,
    actions: Object.keys(actions),
    fields,
    valueName,
    areaName: (area: string) => areaLabel(features, area)[language],
    actionName: (action: string) => named(actions, action),
    fieldName,
    /** The name of an entry: its own, that of its kind, or its number. */
    entryName({ area, entry_id: entryId, id_user, user_name, name }: Named) {
      if (name || !entryId) return name
      // The user's own account, such as a sign-in.
      if (area === 'users' && entryId === String(id_user)) return user_name
      const id = entryId.split('/').at(-1) ?? entryId
      return findEntryKind(features, area, entryId)?.label[language].replace('{id}', id) ?? t('entry', { id: entryId })
    },
    /** Rich text fields, shown as plain text. */
    richText: (area: string, entryId: string | null) => (entryId ? findEntryKind(features, area, entryId)?.richText : undefined),
    /** Whether this user may change the entry. */
    mayChange({ area, entry_id: entryId }: Pick<AuditEntry, 'area' | 'entry_id'>) {
      const kind = entryId ? findEntryKind(features, area, entryId) : undefined
      if (!kind) return false
      const needed = needsOf(kind)
      return hasRight(rights, needed.area, needed.level)
    },
    /** Null where the entry has no page that this user may open. */
    entryPath(area: string, entryId: string | null) {
      return entryId && pathOfEntry(findEntryKind(features, area, entryId), entryId.split('/').at(-1) ?? '', rights)
    },
  }
}
