import { useTexts } from '#src/ui/language.tsx'
import { Photo } from '#src/ui/components/photo.tsx'
import { texts } from '../texts.ts'
import type { Difference } from './differences.ts'
import { diffTexts } from './differences.ts'
import { useAuditLabels } from './use-audit-labels.ts'

type DifferenceListProps = {
  differences: Difference[]
  /** From one state to another; else all there was or is. */
  isChange: boolean
}

/** Field by field what was taken out and what was put in. */
export function DifferenceList({ differences, isChange }: DifferenceListProps) {
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
  if (!isChange) return describeValue(before || after, t)
  if (!before || !after || !/\s/.test(before + after)) {
    return (
      <>
        <del className="removed">{describeValue(before, t)}</del> <ins className="added">{describeValue(after, t)}</ins>
      </>
    )
  }
  return diffTexts(before, after).map(({ value, removed, added }, index) => {
    if (!removed && !added) return value
    const Mark = removed ? 'del' : 'ins'
    return (
      <Mark key={index} className={removed ? 'removed' : 'added'}>
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
