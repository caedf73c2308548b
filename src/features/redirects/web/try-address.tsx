import type { FormEvent } from 'react'
import { useState } from 'react'
import { getJson } from '#src/ui/api.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Tried } from '../contract.ts'
import { redirectTexts } from '../texts.ts'

/** Shows what visitors of an address get, without counting it. */
export function TryAddress({ canWrite, onAdd }: { canWrite: boolean; onAdd: (from: string) => void }) {
  const t = useTexts(redirectTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const [address, setAddress] = useState('')
  const [tried, setTried] = useState<(Tried & { address: string }) | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleTry = async (event: FormEvent) => {
    event.preventDefault()
    const typed = address.trim()
    const own = typed.replace(/^https?:\/\/[^/]*/i, '') || '/'
    const path = own.startsWith('/') ? own : `/${own}`
    setBusy(true)
    setProblem(null)
    try {
      const found = await getJson<Tried>(`/api/redirects/try?${String(new URLSearchParams({ address: path, language }))}`)
      setTried({ ...found, address: path })
    } catch (error) {
      console.warn(error)
      setTried(null)
      setProblem(f(failureOf(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-labelledby="try" className="card grid gap-4 p-5">
      <h2 id="try" className="text-xl">
        {t('tryTitle')}
      </h2>
      <form className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-end" onSubmit={(event) => void handleTry(event)}>
        <TextField
          label={t('tryField')}
          value={address}
          required
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Button type="submit" busy={isBusy}>
          {t('try')}
        </Button>
      </form>
      <div role="status">{tried && <TriedTicket tried={tried} canWrite={canWrite} onAdd={() => onAdd(tried.address)} />}</div>
      <p role="alert" className="text-err empty:hidden">
        {problem}
      </p>
    </section>
  )
}

function TriedTicket({ tried, canWrite, onAdd }: { tried: Tried; canWrite: boolean; onAdd: () => void }) {
  const t = useTexts(redirectTexts)
  const { result, status, location, title, broken, steps } = tried
  const target = title ?? location ?? ''
  const isWell = result === 'page' || (result === 'redirect' && !broken)
  const message =
    result === 'page'
      ? t('isPage')
      : result === 'gone'
        ? t('isGone')
        : result === 'none'
          ? t('isNothing')
          : t(result === 'waiting' ? 'leadsWaiting' : broken ? 'leadsToBroken' : 'leadsTo', { target })
  const code = ([200, 301, 302, 410] as const).find((one) => one === status) ?? 404
  return (
    <div className="flex flex-wrap items-center gap-4 rounded-card border border-line p-4">
      <p className="grid justify-items-center">
        <span className="text-xl font-bold tabular">{status}</span>
        <span className="text-sm text-ink-2">{t(`code${code}`)}</span>
      </p>
      <div className="flex min-w-0 grow items-start gap-2">
        <StatusIcon status={isWell ? 'OK' : broken ? 'ERROR' : 'WARNING'} size={20} className="mt-0.5" />
        <div className="min-w-0">
          <p className="font-bold wrap-anywhere">{message}</p>
          {location && (
            <p className="text-sm text-ink-2 wrap-anywhere">
              <span>{`${location} · `}</span>
              <span>{t('steps', { count: steps.length })}</span>
            </p>
          )}
        </div>
      </div>
      {result === 'redirect' && location && (
        <ButtonAnchor variant="secondary" size="small" href={location} target="_blank" rel="noreferrer">
          {t('open')}
        </ButtonAnchor>
      )}
      {result === 'none' && canWrite && (
        <Button size="small" onClick={onAdd}>
          {t('add')}
        </Button>
      )}
    </div>
  )
}
