import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { EntryTable } from '#src/features/content/web/entry-list.tsx'
import { buttonTexts } from '#src/features/content/texts.ts'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { pickText } from '#src/lib/language/language.ts'
import type { Language } from '#src/lib/language/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { StatusText } from '#src/ui/components/status-icon.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Network } from '../../contract.ts'
import { elementName, readDetails } from '../../values.ts'
import type { ImportResult, Monitor } from '../contract.ts'
import { monitorTexts } from '../texts.ts'
import type { Route } from './+types/admin-monitors-page.ts'

const path = '/api/networks/monitors'
const pagePath = '/admin/reseau/surveillance'
const refreshMs = 15_000

export async function clientLoader() {
  const [monitors, networks] = await Promise.all([getJson<Monitor[]>(path), getJson<Network[]>('/api/networks/reseau')])
  return { monitors, networks }
}

/** `/admin/reseau/surveillance`: the monitors and their states. */
export default function AdminMonitorsPage({ loaderData: { monitors, networks } }: Route.ComponentProps) {
  useRight(['networks'], 'administrator')
  const t = useTexts(monitorTexts)
  const b = useTexts(buttonTexts)
  const language = useLanguage()
  useRefresh()
  const nameOf = (monitor: Monitor) => describeElement(networks, monitor, language) ?? t('gone')
  const rowName = (monitor: Monitor) => [nameOf(monitor), t(monitor.kind), monitor.target].filter(Boolean).join(', ')
  return (
    <>
      <AdminHead
        title={t('listTitle')}
        backTo="/admin/reseau"
        actions={
          <>
            <ImportTargets />
            <ButtonLink to={`${pagePath}/nouvelle`}>{b('add')}</ButtonLink>
          </>
        }
      />
      <p className="mb-6 max-w-prose text-ink-2">{t('intro')}</p>
      <EntryTable
        area="networks"
        title={t('listTitle')}
        editPath={({ id_monitor: id }) => `${pagePath}/${id}`}
        rows={monitors}
        rowKey={({ id_monitor: id }) => id}
        rowName={rowName}
        remove={({ id_monitor: id }) => callApi('DELETE', `${path}/${id}`)}
        columns={[
          { header: t('element'), cell: nameOf, text: nameOf, sortKey: 'element', isRowHeader: true },
          { header: t('kind'), cell: ({ kind }) => t(kind), text: ({ kind }) => t(kind), sortKey: 'genre' },
          {
            header: t('target'),
            isText: true,
            cell: ({ target }) => <span className="wrap-anywhere">{target}</span>,
            text: ({ target }) => target,
          },
          {
            header: t('state'),
            cell: (monitor) => <MonitorState monitor={monitor} />,
            text: ({ enabled, state }) => t(enabled ? state : 'paused'),
            sortKey: 'etat',
          },
          {
            header: t('last'),
            cell: ({ checked_at: at, ms }) => (
              <span className="tabular">
                <span>{at ? <Moment at={at} /> : t('never')}</span>
                {at && ms !== null && <span className="block text-ink-2">{t('responseTime', { ms })}</span>}
              </span>
            ),
            sortBy: ({ checked_at: at }) => at ?? '',
            sortKey: 'derniere',
          },
        ]}
        emptyTitle={t('empty')}
        emptyHint={t('emptyHint')}
      />
    </>
  )
}

/** The component and its network; null where it was deleted. */
export function describeElement(
  networks: readonly Network[],
  { id_reseau, element }: Pick<Monitor, 'id_reseau' | 'element'>,
  language: Language,
) {
  const network = networks.find((one) => one.id_reseau === id_reseau)
  const detail = network && readDetails(network.details).find((one) => elementName(one) === element)
  if (!network || (element !== '' && !detail)) return null
  return detail ? `${pickText(language, detail.nom, detail.nom_en)} (${network.nom})` : network.nom
}

/** Reloads the states while the page is visible. */
export function useRefresh() {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void revalidate()
    }
    const timer = setInterval(refresh, refreshMs)
    return () => clearInterval(timer)
  }, [revalidate])
}

const statusOf = { up: 'OK', degraded: 'WARNING', down: 'ERROR' } as const

/** The state in words and shape, with what the last check found. */
export function MonitorState({ monitor: { enabled, state, failures, reason, detail } }: { monitor: Monitor }) {
  const t = useTexts(monitorTexts)
  if (!enabled) return <Badge tone="neutral">{t('paused')}</Badge>
  const isPending = failures > 0 && state !== 'down' && state !== 'degraded'
  return (
    <span className="grid justify-items-start gap-1">
      {state === 'unknown' ? (
        <Badge tone="neutral">{t('unknown')}</Badge>
      ) : (
        <StatusText status={statusOf[state]} label={t(state)} />
      )}
      {reason && <span className="text-sm wrap-anywhere">{t(`reason ${reason}`, { detail })}</span>}
      {isPending && <span className="text-sm">{t('failing', { count: failures })}</span>}
    </span>
  )
}

/** Why a row of the file is refused; anything else is the column whose value is not valid. */
const rowReasons = ['network', 'component', 'target', 'forbidden address'] as const

/** Chooses a CSV file, shows what it would create, and creates it. */
function ImportTargets() {
  const t = useTexts(monitorTexts)
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [isOpen, setIsOpen] = useState(false)
  const [csv, setCsv] = useState('')
  const [found, setFound] = useState<ImportResult | null>(null)
  const close = () => {
    setIsOpen(false)
    setFound(null)
  }
  const handleFile = async (file: File | undefined) => {
    setFound(null)
    if (!file) return
    const text = await file.text()
    setCsv(text)
    await run(async () => setFound(await callApi<ImportResult>('POST', `${path}/import`, { csv: text, dry_run: true })), {})
  }
  const handleRun = async () => {
    await callApi('POST', `${path}/import`, { csv })
    close()
    await revalidate()
  }
  const count = found?.created ?? 0
  const describeReason = (reason: string) => {
    const known = rowReasons.find((one) => one === reason)
    return known ? t(`row ${known}`) : t('row column', { reason: reason.replace(/^expect\./, '') })
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        {t('import')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={t('importTitle')}
        actions={
          <>
            <Button variant="secondary" onClick={close}>
              {t('close')}
            </Button>
            {count > 0 && (
              <Button busy={busy} onClick={() => void run(handleRun, { done: t('imported', { count }) })}>
                {t('importRun', { count })}
              </Button>
            )}
          </>
        }
      >
        {isOpen && (
          <TextField
            label={t('importFile')}
            hint={t('importHint')}
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => void handleFile(event.target.files?.[0])}
          />
        )}
        <div role="status" className="mt-4 grid gap-2">
          {found && (
            <>
              <p>{t('importFound', { created: found.created, known: found.known, refused: found.refused.length })}</p>
              <ul className="grid max-h-60 gap-1 overflow-y-auto">
                {found.refused.slice(0, 50).map(({ at, reason }) => (
                  <li key={at}>{t('importLine', { at, reason: describeReason(reason) })}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      </Dialog>
      <Toast {...toast} />
    </>
  )
}
