import { useState } from 'react'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ImportDetail } from '../contract.ts'
import { importTexts } from '../texts.ts'

const previewShown = 5

/** The first entries as they are and as they would be. Those that are refused are listed with their reason elsewhere. */
export function Preview({ detail: { preview, areas } }: { detail: ImportDetail }) {
  const t = useTexts(importTexts)
  const language = useLanguage()
  const [first, setFirst] = useState(0)
  const entries = preview.filter(({ outcome }) => outcome !== 'refused')
  if (entries.length === 0) return null
  // Another choice may leave fewer of them.
  const from = first < entries.length ? first : 0
  const to = Math.min(from + previewShown, entries.length)
  const nameOf = (area: string) => areas.find((one) => one.area === area)?.label[language]
  return (
    <section aria-labelledby="preview">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="preview" className="text-lg">
          {t('previewTitle')}
        </h2>
        {entries.length > previewShown && (
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-sm text-ink-2" role="status">
              {t('previewRange', { from: from + 1, to, count: entries.length })}
            </span>
            <Button variant="secondary" size="small" disabled={from === 0} onClick={() => setFirst(from - previewShown)}>
              {t('previous')}
            </Button>
            <Button variant="secondary" size="small" disabled={to === entries.length} onClick={() => setFirst(to)}>
              {t('next')}
            </Button>
          </div>
        )}
      </div>
      <ol className="grid gap-4">
        {entries.slice(from, to).map((entry, index) => (
          <li key={from + index} className="grid gap-3 md:grid-cols-2">
            <div className="card min-w-0 p-4">
              <p className="text-sm text-ink-2">{`${t('before')}, ${t('at', { at: entry.at })}`}</p>
              <Fields fields={entry.before} />
            </div>
            <div className="min-w-0 rounded-card border-2 border-dashed border-ink-2 p-4">
              <p className="text-sm text-ink-2">{[t('after'), nameOf(entry.area)].filter(Boolean).join(', ')}</p>
              {entry.outcome === 'known' && <Badge tone="neutral">{t('known', { count: 1 })}</Badge>}
              <Fields fields={entry.after.map(({ label, text }) => ({ label: label[language], text }))} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

function Fields({ fields }: { fields: { label: string; text: string }[] }) {
  const language = useLanguage()
  return (
    <dl>
      {fields
        .filter(({ text }) => text !== '')
        .map(({ label, text }, index) => (
          <div key={index} className="mt-1">
            <dt className="inline text-sm text-ink-2">{label}</dt>{' '}
            <dd className="inline font-bold break-words">{instant.test(text) ? formatDateTime(text, language) : text}</dd>
          </div>
        ))}
    </dl>
  )
}
