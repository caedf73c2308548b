import { useFeatures } from '#src/features/content/web/admin-context.ts'
import type { Label } from '#src/lib/feature.ts'
import { areaLabel, labelsOf } from '#src/lib/feature.ts'
import { Photo } from '#src/ui/components/photo.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { fieldTexts, versionTexts } from '../texts.ts'
import type { Difference } from './differences.ts'
import { diffTexts } from './differences.ts'

/** Labels of fields and of their values, as the features declare them. */
export function useFieldLabels() {
  const language = useLanguage()
  const features = useFeatures()
  const fields = {
    ...labelsOf(fieldTexts),
    ...(Object.assign({}, ...features.map(({ audit }) => audit?.fields)) as Record<string, Label>),
  }
  const values = Object.assign({}, ...features.map(({ audit }) => audit?.values)) as Record<string, Record<string, Label>>
  return {
    fields: Object.keys(fields),
    fieldName: (field: string) => fields[field]?.[language] ?? field,
    valueName(field: string, value: string) {
      // A list of rights has areas for its keys.
      return field === 'rights.key' ? areaLabel(features, value)[language] : (values[field]?.[value]?.[language] ?? value)
    },
  }
}

type DifferenceListProps = {
  differences: Difference[]
  /** An update; otherwise all values of a creation or deletion. */
  isChange: boolean
}

/** Removed and added text, field by field. */
export function DifferenceList({ differences, isChange }: DifferenceListProps) {
  const { fieldName } = useFieldLabels()
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
  const t = useTexts(versionTexts)
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
  return <WordDifferences before={before} after={after} />
}

/** Two texts as one, with the words that were removed and added. */
export function WordDifferences({ before, after }: { before: string; after: string }) {
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
