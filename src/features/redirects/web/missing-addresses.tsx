import { useEffect, useState } from 'react'
import { formatCount } from '#src/lib/lists.ts'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { MissingAddress, Target } from '../contract.ts'
import { redirectTexts } from '../texts.ts'

type MissingProps = {
  missing: MissingAddress[]
  canWrite: boolean
  isBusy: boolean
  /** Redirects an address to a page that was chosen, or asks for the page. */
  onRedirect: (path: string, target: Target | null) => void
  onIgnore: (path: string) => void
}

/** Addresses that nothing answered, most asked first; the first one shows the page that it may have meant. */
export function MissingAddresses({ missing, canWrite, isBusy, onRedirect, onIgnore }: MissingProps) {
  const t = useTexts(redirectTexts)
  const language = useLanguage()
  const asked = missing.filter(({ scanner }) => !scanner)
  const scanned = missing.filter(({ scanner }) => scanner)
  return (
    <section aria-labelledby="missing" className="card self-start p-5">
      <h2 id="missing" className="text-xl" tabIndex={-1}>
        {t('missing')}
      </h2>
      <p className="text-sm text-ink-2">{t('missingHint')}</p>
      {asked.length === 0 && <p className="mt-4">{t('noMissing')}</p>}
      {asked.length > 0 && (
        <ul className="grid">
          {asked.map(({ path, count, last }, index) => (
            <li key={path} className="grid gap-2 border-b border-line py-4">
              <div className="flex items-start justify-between gap-4">
                <div className="grid">
                  <span className="font-bold wrap-anywhere">{path}</span>
                  <span className="text-sm text-ink-2">
                    {t('lastAsked', { when: formatAgo(new Date(last), new Date(), language) })}
                  </span>
                </div>
                <span className="grid justify-items-end">
                  <span className="text-xl font-bold tabular">{formatCount(count, language)}</span>
                  <span className="text-sm text-ink-2">{t('times', { count })}</span>
                </span>
              </div>
              {canWrite && index === 0 && <Suggestion path={path} isBusy={isBusy} onRedirect={onRedirect} />}
              {canWrite && (
                <div className="flex flex-wrap gap-2">
                  <Button
                    variant="secondary"
                    size="small"
                    data-missing
                    aria-label={t('redirectToOf', { path })}
                    disabled={isBusy}
                    onClick={() => onRedirect(path, null)}
                  >
                    {t('redirectTo')}
                  </Button>
                  <Button
                    variant="quiet"
                    size="small"
                    aria-label={t('ignoreOf', { path })}
                    disabled={isBusy}
                    onClick={() => onIgnore(path)}
                  >
                    {t('ignore')}
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {scanned.length > 0 && (
        <details className="mt-4 text-sm">
          <summary className="cursor-pointer py-1 underline underline-offset-2">
            {t('robots', { count: scanned.reduce((sum, { count }) => sum + count, 0) })}
          </summary>
          <ul className="mt-2 grid gap-1">
            {scanned.map(({ path, count }) => (
              <li key={path} className="flex justify-between gap-4">
                <span className="wrap-anywhere">{path}</span>
                <span className="tabular">{formatCount(count, language)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Suggestion({ path, isBusy, onRedirect }: { path: string; isBusy: boolean; onRedirect: MissingProps['onRedirect'] }) {
  const t = useTexts(redirectTexts)
  const [target, setTarget] = useState<Target | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    getJson<Target | null>(`/api/redirects/suggestion?${String(new URLSearchParams({ path }))}`, stop.signal).then(
      setTarget,
      (failure: unknown) => stop.signal.aborted || console.warn(failure),
    )
    return () => {
      setTarget(null)
      stop.abort()
    }
  }, [path])
  if (!target) return null
  return (
    <div className="grid justify-items-start gap-2 rounded-card bg-brand-soft p-4">
      <p className="text-sm font-bold text-ink-2">{t('suggestion')}</p>
      <p className="grid">
        <span className="font-bold">{target.title}</span>
        <span className="text-sm text-ink-2 wrap-anywhere">{target.path}</span>
      </p>
      <Button size="small" aria-label={t('redirectHereOf', { path })} busy={isBusy} onClick={() => onRedirect(path, target)}>
        {t('redirectHere')}
      </Button>
    </div>
  )
}
