import { useFeatures, useRights } from '#src/features/content/web/admin-context.ts'
import type { Label } from '#src/lib/feature.ts'
import { areaLabel, findEntryKind, pathOfEntry } from '#src/lib/feature.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { ChevronIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Photo } from '#src/ui/components/photo.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { AuditEntry } from '../contract.ts'
import { texts, actionTexts, fieldTexts } from '../texts.ts'
import { nameOf, sampleAuthor } from '../values.ts'
import type { Difference } from './differences.ts'
import { findDifferences, diffTexts } from './differences.ts'

const tones: Record<string, 'ok' | 'brand' | 'err' | 'warn'> = { create: 'ok', update: 'brand', delete: 'err', restore: 'warn' }

type AuditEntryItemProps = {
  entry: AuditEntry
  /** Null where the user may not undo it. */
  onUndo: (() => void) | null
}

/** One event: time, author, address, action, entry and differences. */
export function AuditEntryItem({ entry, onUndo }: AuditEntryItemProps) {
  const t = useTexts(texts)
  const names = useAuditLabels()
  const language = useLanguage()
  const { area, action, entry_id: entryId, before, after } = entry
  const differences = findDifferences(before, after, { order: names.fields, richText: names.richText(area, entryId) })
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

type DifferenceListProps = {
  differences: Difference[]
  /** An update; otherwise all values of a creation or deletion. */
  isChange: boolean
}

/** Removed and added text, field by field. */
function DifferenceList({ differences, isChange }: DifferenceListProps) {
  const { fieldName } = useAuditLabels()
  return (
    <dl className="mt-2 grid gap-4 rounded-field bg-paper px-4 py-3">
      {differences.map((difference) => (
        <div key={difference.field} className="grid gap-1">
          <dt className="text-sm font-bold text-ink-2">{fieldName(difference.field)}</dt>
          <dd className="min-w-0 whitespace-pre-line wrap-anywhere">
            <Value difference={difference} isChange={isChange} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ difference: { field, before, after }, isChange }: { difference: Difference; isChange: boolean }) {
  const t = useTexts(texts)
  if (field === 'photo') {
    return (
      <span className="flex gap-3">
        {[before, after].filter(Boolean).map((photo) => (
          <Photo key={photo} photo={photo} name="" sizes="96px" className="w-24 rounded-field" />
        ))}
      </span>
    )
  }
  if (!isChange) return <span>{describeValue(before || after, t)}</span>
  if (!before || !after || !/\s/.test(before + after)) {
    return (
      <>
        <del className="removed">{describeValue(before, t)}</del> <ins className="added">{describeValue(after, t)}</ins>
      </>
    )
  }
  return diffTexts(before, after).map(({ value, removed, added }, index) => {
    const Mark = removed ? 'del' : added ? 'ins' : 'span'
    return (
      <Mark key={index} className={removed ? 'removed' : added ? 'added' : undefined}>
        {value}
      </Mark>
    )
  })
}

function describeValue(value: string, t: (key: 'nothing' | 'yes' | 'no') => string) {
  if (value === '') return t('nothing')
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'yes' : 'no')
  return value
}

/** Labels of areas, operations, fields and entries in the audit log, as the features declare them. */
export function useAuditLabels() {
  const t = useTexts(texts)
  const language = useLanguage()
  const features = useFeatures()
  const rights = useRights()
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
    /** The name of an entry: its own, that of its kind, or its number. */
    entryName({
      area,
      entry_id: entryId,
      id_user,
      user_name,
      before,
      after,
    }: Pick<AuditEntry, 'area' | 'entry_id' | 'id_user' | 'user_name' | 'before' | 'after'>) {
      const name = nameOf(after, before)
      if (name || !entryId) return name
      // The user's own account, such as a sign-in.
      if (area === 'users' && entryId === String(id_user)) return user_name
      const id = entryId.split('/').at(-1) ?? entryId
      return findEntryKind(features, area, entryId)?.label[language].replace('{id}', id) ?? t('entry', { id: entryId })
    },
    /** Rich text fields, shown as plain text. */
    richText: (area: string, entryId: string | null) => (entryId ? findEntryKind(features, area, entryId)?.richText : undefined),
    /** Null where the entry has no page that this user may open. */
    entryPath(area: string, entryId: string | null) {
      return entryId && pathOfEntry(findEntryKind(features, area, entryId), entryId.split('/').at(-1) ?? '', rights)
    },
  }
}

type Catalogue = Record<'fr' | 'en', Record<string, string>>

const labelsOf = ({ fr, en }: Catalogue): Record<string, Label> =>
  Object.fromEntries(Object.keys(fr).map((key) => [key, { fr: fr[key] ?? key, en: en[key] ?? key }]))
