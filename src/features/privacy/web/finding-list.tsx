import { formatDateTime } from '#src/lib/time/date-time.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { HeldData } from '../contract.ts'
import { fieldKey, fieldTexts } from '../field-texts.ts'

type Value = HeldData['findings'][number]['fields'][string]

/** Findings of one kind, each with its fields by name. */
export function FindingList({ findings }: { findings: HeldData['findings'] }) {
  const t = useTexts(fieldTexts)
  const language = useLanguage()
  const nameOf = (field: string) => {
    const key = fieldKey(field)
    return key ? t(key) : field
  }
  const textOf = (value: Value) => (typeof value === 'boolean' ? t(value ? 'yes' : 'no') : String(value))
  return (
    <ul className="grid gap-4">
      {findings.map((finding) => (
        <li key={finding.id} className="border-s-2 border-line ps-4">
          <p className="font-bold text-ink">
            {finding.id} · <time dateTime={finding.at}>{formatDateTime(finding.at, language)}</time>
          </p>
          <dl className="text-sm wrap-anywhere">
            {Object.entries(finding.fields)
              .filter(([, value]) => value !== null && value !== '')
              .map(([field, value]) => (
                <div key={field} className="flex flex-wrap gap-x-2">
                  <dt className="font-bold">{nameOf(field)}</dt>
                  <dd className="whitespace-pre-line">{textOf(value)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
