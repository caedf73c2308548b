import { useEffect, useState } from 'react'
import type { CheckState } from '#src/lib/doctor-texts.ts'
import { checkNames, doctorTexts } from '#src/lib/doctor-texts.ts'
import { Button } from '#src/ui/components/button.tsx'
import { apiAddress } from '#src/ui/hosts.ts'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ConnectionCheck } from '../contract.ts'
import { texts } from '../texts.ts'

const order: readonly CheckState[] = ['fail', 'warn', 'ok', 'skip']
const icons = { fail: 'ERROR', warn: 'WARNING', ok: 'OK' } as const
const tones = { fail: 'text-err', warn: 'text-warn', ok: 'text-ok', skip: 'text-ink-2' } as const

/** What `guichet doctor` says, failures first, filled in while the checks run on the server. */
export function ConnectionChecks() {
  const t = useTexts(texts)
  const [checks, setChecks] = useState<ConnectionCheck[]>([])
  const [state, setState] = useState<'running' | 'done' | 'failed'>('running')
  const [round, setRound] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    readChecks(leaving.signal, (one) => setChecks((known) => [...known, one])).then(
      () => setState('done'),
      (error: unknown) => {
        if (leaving.signal.aborted) return
        console.warn(error)
        setState('failed')
      },
    )
    return () => leaving.abort()
  }, [round])
  const again = () => {
    setChecks([])
    setState('running')
    setRound(round + 1)
  }
  const progress = t('checking', { done: checks.length, total: checkNames.length })
  return (
    <section aria-labelledby="checks" aria-busy={state === 'running'} className="mb-10">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-3">
        <h2 id="checks" className="text-xl">
          {t('checks')}
        </h2>
        <Button variant="secondary" size="small" disabled={state === 'running'} onClick={again}>
          {t('checkAgain')}
        </Button>
      </div>
      <p className="mb-4 max-w-prose text-ink-2">{t('checksHint')}</p>
      {state === 'running' && (
        <div className="mb-4 grid gap-1">
          <progress aria-label={progress} className="w-full" value={checks.length} max={checkNames.length} />
          <p className="tabular">{progress}</p>
        </div>
      )}
      <div role="status">{state === 'failed' && <p className="mb-4 font-bold text-err">{t('checksFailed')}</p>}</div>
      <ul className="card grid px-5 py-2">
        {checks
          .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
          .map((one) => (
            <CheckRow key={one.check} found={one} />
          ))}
      </ul>
    </section>
  )
}

function CheckRow({ found: { check, state, message, fix } }: { found: ConnectionCheck }) {
  const t = useTexts(texts)
  const d = useTexts(doctorTexts)
  const language = useLanguage()
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4 gap-y-1 border-line py-3 not-first:border-t sm:grid-cols-[7rem_12rem_minmax(0,1fr)]">
      <span className={`inline-flex items-center gap-2 font-bold ${tones[state]}`}>
        {state !== 'skip' && <StatusIcon status={icons[state]} size={18} />}
        <span>{d(state)}</span>
      </span>
      <b>{d(check)}</b>
      <div className="col-span-2 min-w-0 wrap-anywhere sm:col-span-1">
        <p>{message[language]}</p>
        {fix && (
          <p className="mt-1">
            <b>{t('fixIt')}</b> <span>{fix[language]}</span>
          </p>
        )}
      </div>
    </li>
  )
}

async function readChecks(signal: AbortSignal, take: (check: ConnectionCheck) => void) {
  const response = await fetch(apiAddress('/api/etat/checks'), { signal, credentials: 'include' })
  if (!response.ok || !response.body) throw new Error(`the checks answered ${response.status}`)
  let rest = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || signal.aborted) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(JSON.parse(line) as ConnectionCheck)
  }
}
