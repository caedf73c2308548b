import { useEffect, useState } from 'react'
import { locales } from '#src/lib/language.ts'
import { getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import type { Failure } from '#src/ui/failures.ts'
import { failureOf, failureTexts } from '#src/ui/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/link.tsx'
import type { Translation } from '../contract.ts'
import { texts } from '../texts.ts'

const pathOf = ({ kind, id }: Translation) => {
  if (kind === 'employees') return `/admin/equipe_edit/${id}`
  if (kind === 'jobs') return `/admin/emploi_edit/${id}`
  if (kind === 'networks') return `/admin/reseau_edit/${id}`
  if (kind === 'notes') return `/admin/note_edit/${id}`
  return '/admin/notes'
}

const shownAtFirst = 8

/** On the panel: entries whose English wants work. Nothing at all while there are none. */
export function TranslationList() {
  const t = useTexts(texts)
  const language = useLanguage()
  const f = useTexts(failureTexts)
  const [found, setFound] = useState<Translation[]>([])
  const [isWhole, setWhole] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  useEffect(() => {
    const leaving = new AbortController()
    getJson<Translation[]>('/api/translations', leaving.signal)
      .then(setFound)
      .catch((error: unknown) => {
        if (leaving.signal.aborted) return
        console.warn(error)
        setFailure(failureOf(error))
      })
    return () => leaving.abort()
  }, [])

  if (failure) {
    return (
      <p role="status" className="max-w-3xl rounded-card bg-err-soft px-5 py-3 text-err">
        <strong>{t('failed')}</strong> {f(failure)}
      </p>
    )
  }
  if (found.length === 0) return null
  const shown = isWhole ? found : found.slice(0, shownAtFirst)
  const dates = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium' })
  return (
    <section aria-labelledby="translations" className="max-w-3xl">
      <h2 id="translations" className="mb-1 text-xl">
        {t('title')}
      </h2>
      <p className="mb-3 text-sm text-ink-2">{t('lead')}</p>
      <ul className="card">
        {shown.map((one) => (
          <li key={`${one.kind}-${one.id}`} className="border-t border-line first:border-t-0">
            <Link to={pathOf(one)} className="group flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
              <span className="w-28 text-sm text-ink-2">{t(one.kind)}</span>
              <span className="grow font-bold group-hover:text-brand group-hover:underline">
                {one.name || (one.kind.startsWith('home') ? t(one.kind) : t('unnamed'))}
              </span>
              <Badge tone="warn">
                {one.missing ? t('missing') : t('older', { date: dates.format(new Date(one.older_since ?? '')) })}
              </Badge>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < found.length && (
        <Button variant="link" className="mt-3" onClick={() => setWhole(true)}>
          {t('all', { count: found.length })}
        </Button>
      )}
    </section>
  )
}
