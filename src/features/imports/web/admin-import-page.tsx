import { useEffect, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import type { Translate } from '#src/lib/language/texts.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { apiAddress } from '#src/ui/hosts.ts'
import { Button, ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { Card } from '#src/ui/components/card.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { Holes } from '#src/ui/components/holes.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { SelectField } from '#src/ui/forms/field.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ImportDetail } from '../contract.ts'
import { importTexts } from '../texts.ts'
import { fetchChoice, fetchingKind, undoDays, wholeKind } from '../values.ts'
import type { Route } from './+types/admin-import-page.ts'
import { ProgressBar, TimeLeft } from '#src/ui/uploads/upload-bar.tsx'
import { NeverDone, StateBadge } from './admin-imports-page.tsx'
import { Preview } from './import-preview.tsx'
import './import-foot.css'

const pathOf = (id: number) => `/api/imports/imports/${id}`
const pollMs = 1_000
const refusedShown = 20

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return getJson<ImportDetail>(pathOf(Number(params.id)))
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, one) => total + one, 0)

/** `/admin/importer/:id`: what would come, how far it is, or what came. */
export default function AdminImportPage({ loaderData: detail }: Route.ComponentProps) {
  useRight(['company'], 'read_only')
  const t = useTexts(importTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [isUndoing, setUndoing] = useState(false)
  const { id_import: id, state } = detail
  const call = (what: string) => run(() => callApi('POST', `${pathOf(id)}/${what}`).finally(revalidate), {})
  useEffect(() => {
    if (state !== 'running') return
    const timer = setInterval(() => void revalidate(), pollMs)
    return () => clearInterval(timer)
  }, [state, revalidate])
  const remove = () =>
    run(async () => {
      await callApi('DELETE', pathOf(id))
      await navigate('/admin/importer')
    }, {})
  const count = sum(detail.created) + sum(detail.updated)
  return (
    <>
      <AdminHead title={t('named', { kind: t('title'), name: detail.label[language] })} backTo="/admin/importer" />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 content-start gap-6">
          <Head detail={detail} />
          {state === 'running' && <Running detail={detail} busy={busy} onStop={() => void call('stop')} />}
          {state === 'waiting' && <Verdict detail={detail} count={count} />}
          <Refused detail={detail} />
          <Figures detail={detail} />
          {state === 'waiting' && detail.kind === fetchingKind && <FetchPictures detail={detail} />}
          {state === 'waiting' && <Choices detail={detail} />}
          {state === 'waiting' && <Preview detail={detail} />}
          <div className="flex flex-wrap items-center gap-3">
            {(state === 'stopped' || state === 'failed') && (
              <Button busy={busy} onClick={() => void call('run')}>
                {t('goOn')}
              </Button>
            )}
            {detail.undo_until && (
              <>
                <Button variant="secondary" busy={busy} onClick={() => setUndoing(true)}>
                  {t('undo')}
                </Button>
                <span className="text-ink-2">{t('undoUntil', { date: formatDateTime(detail.undo_until, language) })}</span>
              </>
            )}
          </div>
        </div>
        <NeverDone />
      </div>
      {state === 'waiting' && (
        <section className="import-foot card" aria-label={t('decide')}>
          <p>{count > 0 ? t('willImport', { count, days: undoDays }) : t(detail.known > 0 ? 'allKnown' : 'nothing')}</p>
          <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:gap-2">
            <Button variant="secondary" busy={busy} onClick={() => void remove()}>
              {t('change')}
            </Button>
            {count > 0 && (
              <Button busy={busy} onClick={() => void call('run')}>
                {t('importAll', { count })}
              </Button>
            )}
          </div>
        </section>
      )}
      <ConfirmDialog
        open={isUndoing}
        title={t('undo')}
        consequence={t(detail.kind === wholeKind ? 'undoWhole' : 'undoQuestion', { count: sum(detail.created) })}
        confirmLabel={t('undoConfirm')}
        busy={busy}
        onCancel={() => setUndoing(false)}
        onConfirm={() => void call('undo').finally(() => setUndoing(false))}
      />
      <Toast {...toast} />
    </>
  )
}

function Head({ detail }: { detail: ImportDetail }) {
  const { id_import: id, kind, file, state, error, left, left_entries: leftEntries } = detail
  const t = useTexts(importTexts)
  const language = useLanguage()
  const isOver = state === 'done' || state === 'undone'
  const marks = {
    check: state === 'waiting' ? 'now' : 'done',
    run: state === 'waiting' ? 'next' : state === 'failed' ? 'failed' : isOver ? 'done' : 'now',
  } as const
  return (
    <Card>
      <p className="text-sm text-ink-2">{t('number', { id })}</p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h2 className="text-xl break-all">{file}</h2>
        <StateBadge state={state} />
      </div>
      <Holes
        label={t('steps')}
        holes={[
          { mark: 'done', label: t('stepChoose') },
          { mark: marks.check, label: t('stepCheck') },
          { mark: marks.run, label: t('stepImport') },
          { mark: isOver ? 'done' : 'next', label: t('stepDone') },
        ]}
      />
      {error && <p className="mt-4 font-bold text-err">{error[language]}</p>}
      {state === 'undone' && (
        <p className="mt-4">{t(!left ? 'undoneAll' : kind === wholeKind ? 'undoneWhole' : 'undoneLeft', { count: left ?? 0 })}</p>
      )}
      {leftEntries.length > 0 && (
        <ul className="mt-2 list-disc ps-5" aria-label={t('leftTitle')}>
          {leftEntries.map(({ area, name, label, path, reason }, index) => (
            <li key={`${area} ${index}`} className="break-words">
              {path ? <Link to={path}>{name}</Link> : <span>{label?.[language] ?? name}</span>}
              {reason && <span className="block text-sm text-ink-2">{reason[language]}</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Verdict({ detail, count }: { detail: ImportDetail; count: number }) {
  const t = useTexts(importTexts)
  const parts = [detail.refused_total > 0 && t('refused', { count: detail.refused_total }), t('ready', { count })]
  const none = detail.known > 0 ? t('allKnown') : t('nothing')
  return (
    <div role="status">
      <h2 className="text-2xl">{parts.filter(Boolean).join(', ')}</h2>
      <p className="text-ink-2">{count > 0 ? t('readWhole', { count: detail.total }) : none}</p>
    </div>
  )
}

/** No time left before three seconds of measure. */
function Running({ detail: { done, total }, busy, onStop }: { detail: ImportDetail; busy: boolean; onStop: () => void }) {
  const t = useTexts(importTexts)
  const language = useLanguage()
  const first = useRef<{ at: number; done: number } | null>(null)
  const [rate, setRate] = useState(0)
  useEffect(() => {
    first.current ??= { at: Date.now(), done }
    const seconds = (Date.now() - first.current.at) / 1_000
    if (seconds >= 3) setRate((done - first.current.done) / seconds)
  }, [done])
  const seconds = rate > 0 ? (total - done) / rate : null
  const number = new Intl.NumberFormat(language === 'fr' ? 'fr-CA' : 'en-US')
  // Announced by the tenth alone.
  const tenth = total > 0 ? Math.floor((done / total) * 10) * 10 : 0
  return (
    <Card>
      <p className="mb-2 text-2xl font-extrabold">{t('ofTotal', { done: number.format(done), total: number.format(total) })}</p>
      <ProgressBar label={t('progress')} value={done} max={total} />
      <p className="sr-only" role="status">{`${tenth} %`}</p>
      {seconds !== null && (
        <p className="mt-3 font-bold">
          <TimeLeft seconds={seconds} />
        </p>
      )}
      {rate > 0 && <p className="text-ink-2">{t('rate', { rate: number.format(Math.round(rate)) })}</p>}
      <div className="mt-4">
        <Button variant="secondary" busy={busy} onClick={onStop}>
          {t('stop')}
        </Button>
      </div>
      <p className="mt-2 text-sm text-ink-2">{t('stopHint')}</p>
      <p className="mt-2">{t('leave')}</p>
    </Card>
  )
}

function Refused({ detail: { id_import: id, refused, refused_total: total } }: { detail: ImportDetail }) {
  const t = useTexts(importTexts)
  const language = useLanguage()
  if (total === 0) return null
  return (
    <section aria-labelledby="refused">
      <Card className="p-5">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h2 id="refused" className="text-lg">{`${t('refusedTitle')} (${total})`}</h2>
          {refused.length > 0 && (
            <ButtonAnchor variant="secondary" size="small" href={apiAddress(`${pathOf(id)}/refused.csv`)} download>
              {t('download')}
            </ButtonAnchor>
          )}
        </div>
        <ul className="grid gap-2">
          {refused.slice(0, refusedShown).map(({ at, name, reason, reason_fr }, index) => (
            <li key={index} className="border-t border-line pt-2">
              <span className="text-sm text-ink-2">{t('at', { at })}</span> <b className="break-words">{name}</b>{' '}
              <span>{language === 'fr' ? reason_fr : reason}</span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

/** Kinds of what is left out are words of the importer; those that a person knows have a name here. */
function nameLeftOut(what: string, t: Translate<keyof (typeof importTexts)['fr']>) {
  const key = `leftOut_${what}`
  return Object.hasOwn(importTexts.fr, key) ? t(key as keyof (typeof importTexts)['fr']) : what
}

function Figures({ detail }: { detail: ImportDetail }) {
  const t = useTexts(importTexts)
  const language = useLanguage()
  const { areas, created, updated, known, left_out: leftOut, state } = detail
  return (
    <section aria-labelledby="figures">
      <h2 id="figures" className="mb-3 text-lg">
        {state === 'waiting' ? t('wouldCome') : t('came')}
      </h2>
      <ul className="flex flex-wrap gap-3">
        {areas.map(({ area, label, path }) => (
          <li key={area} className="card p-4">
            <b className="block">{label[language]}</b>
            <span className="block">{t('created', { count: created[area] ?? 0 })}</span>
            {updated[area] && <span className="block">{t('updated', { count: updated[area] })}</span>}
            {path && state === 'done' && (
              <ButtonLink variant="link" to={path}>
                {t('open', { label: label[language] })}
              </ButtonLink>
            )}
          </li>
        ))}
        {known > 0 && <li className="card p-4">{t('known', { count: known })}</li>}
        {Object.entries(leftOut).map(([what, count]) => (
          <li key={what} className="card p-4">
            {t('leftOut', { count, what: nameLeftOut(what, t) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Tries the file again, for the figures that follow from it. */
function FetchPictures({ detail: { id_import: id, map } }: { detail: ImportDetail }) {
  const t = useTexts(importTexts)
  const { revalidate } = useRevalidator()
  const { run, busy, toast } = useAction()
  // What was pressed shows at once, and goes back where the trial fails.
  const [pressed, setPressed] = useState<boolean | null>(null)
  const { [fetchChoice]: chosen, ...others } = map
  const choose = (isChosen: boolean) => {
    setPressed(isChosen)
    const next = isChosen ? { ...others, [fetchChoice]: 'yes' } : others
    return run(() => callApi('PUT', pathOf(id), { map: next }).then(revalidate), {}).finally(() => setPressed(null))
  }
  return (
    <Card className="p-5">
      <SwitchField
        label={t('fetch')}
        hint={t('fetchHint')}
        checked={pressed ?? chosen !== undefined}
        disabled={busy}
        onChange={(isChosen) => void choose(isChosen)}
      />
      <Toast {...toast} />
    </Card>
  )
}

/** Changing one tries the file again; the focus stays. */
function Choices({ detail: { id_import: id, choices, options, map } }: { detail: ImportDetail }) {
  const t = useTexts(importTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const { run, busy, toast } = useAction()
  const [pressed, setPressed] = useState<Record<string, string>>({})
  if (choices.length === 0) return null
  const isTable = choices.every(({ count }) => count === null)
  const choose = (name: string, value: string) => {
    const next = { ...map, ...pressed, [name]: value }
    setPressed({ ...pressed, [name]: value })
    return run(() => callApi('PUT', pathOf(id), { map: next }).then(revalidate), {}).finally(() => setPressed({}))
  }
  return (
    <section aria-labelledby="choices" aria-busy={busy}>
      <Card className="p-5">
        <h2 id="choices" className="text-lg">
          {isTable ? t('mapTitle') : t('mapPages')}
        </h2>
        <p className="mb-4 text-sm text-ink-2">{t('mapHint')}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          {choices.map(({ name, label, is_required: isRequired, count }) => (
            <SelectField
              key={name}
              label={
                count === null
                  ? isRequired
                    ? t('required', { label: label[language] })
                    : label[language]
                  : `${label[language]} (${count})`
              }
              value={pressed[name] ?? map[name] ?? ''}
              onChange={(event) => void choose(name, event.target.value)}
            >
              {isTable && <option value="">{t('noColumn')}</option>}
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label[language]}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
      </Card>
      <Toast {...toast} />
    </section>
  )
}
