import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { useRight } from '#src/features/content/web/use-right.ts'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { PastUpdate } from '../contract.ts'
import { updaterTexts } from '../texts.ts'
import type { Route } from './+types/admin-updater-page.ts'
import { useUpdateAlert } from './update-alert.tsx'
import { UpdaterEditor, alertPath, useUpdaterForm } from './updater-editor.tsx'
import { describeInstant } from './update-time.ts'

export async function clientLoader() {
  return { history: await getJson<PastUpdate[]>('/api/updates/history') }
}

/** Parameters / Updater: the next update, announced to everybody or taken back. */
export default function AdminUpdaterPage({ loaderData }: Route.ComponentProps) {
  useRight(['updates'], 'read_only')
  const t = useTexts(updaterTexts)
  const { rights } = useProfile()
  const { alert, setAlert } = useUpdateAlert()
  const { revalidate } = useRevalidator()
  const form = useUpdaterForm(alert, setAlert)
  const { run, toast } = useAction()
  const shown = alert && `${alert.id_update}/${alert.version}`
  useEffect(() => {
    void revalidate()
  }, [shown, revalidate])

  const handleRemove = async () => {
    await callApi('DELETE', alertPath)
    setAlert(null)
  }

  return (
    <>
      <UpdaterEditor
        form={form}
        isSet={alert !== null}
        canWrite={hasRight(rights, 'updates', 'read_write')}
        onRemove={() => void run(handleRemove, { done: t('removed') })}
      />
      <UpdateHistory updates={loaderData.history} />
      <Toast {...toast} />
    </>
  )
}

const tones = { planned: 'brand', running: 'warn', done: 'ok', cancelled: 'neutral' } as const

/** What was announced so far, newest first. */
function UpdateHistory({ updates }: { updates: readonly PastUpdate[] }) {
  const t = useTexts(updaterTexts)
  const language = useLanguage()
  return (
    <section className="mt-12" aria-labelledby="updates-history">
      <h2 id="updates-history" className="mb-4 text-2xl">
        {t('history')}
      </h2>
      {updates.length === 0 ? (
        <p className="text-ink-2">{t('historyEmpty')}</p>
      ) : (
        <Table
          caption={t('history')}
          rows={updates}
          rowKey={(update) => update.id_update}
          columns={[
            {
              header: t('date'),
              isRowHeader: true,
              cell: ({ next_update }) => {
                const { day, time } = describeInstant(next_update, language)
                return `${day}, ${time}`
              },
            },
            { header: t('duration'), cell: ({ duration_minutes }) => t('minutes', { count: duration_minutes }) },
            { header: t('state'), cell: ({ state }) => <Badge tone={tones[state]}>{t(state)}</Badge> },
            { header: t('visitors'), cell: (update) => t(update.public ? 'yes' : 'no') },
            {
              header: t('message'),
              cell: ({ message, message_en }) => {
                const { text, lang } = pickVariant(language, message, message_en)
                return <span lang={lang}>{text}</span>
              },
            },
          ]}
        />
      )}
    </section>
  )
}
