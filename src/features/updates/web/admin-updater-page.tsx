import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { hasRight } from '#src/lib/rights.ts'
import { useProfile } from '#src/features/people/sign-in/web/use-profile.ts'
import { useRight } from '#src/features/content/web/use-right.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { useTexts } from '#src/ui/language.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import type { PastUpdate } from '../contract.ts'
import { updaterTexts } from '../texts.ts'
import type { Route } from './+types/admin-updater-page.ts'
import { useUpdateAlert } from './update-alert.tsx'
import { UpdateHistory } from './update-history.tsx'
import { UpdaterEditor } from './updater-editor.tsx'
import { alertPath, useUpdaterForm } from './updater-form.ts'

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
