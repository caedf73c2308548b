import { undoMs } from '#src/lib/suspected.ts'
import type { FormEvent, ReactNode } from 'react'
import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callAddress } from '#src/lib/text/telephones.ts'
import { sourceText } from '#src/lib/visit-source.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { apiAddress } from '#src/ui/hosts.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { DownloadIcon, MailIcon } from '#src/ui/components/icons.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { UndoBar } from '#src/ui/components/undo-bar.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { SelectField, TextArea } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminApplicationTexts } from '../admin-texts.ts'
import type { Application, ApplicationChange } from '../contract.ts'
import { statusLabels } from '../status-labels.ts'
import type { ApplicationStatus } from '../values.ts'
import { applicationStatuses } from '../values.ts'
import type { Route } from './+types/admin-application-page.ts'
import type { RemovedApplication } from './removed-application.ts'
import { statusTones } from './status-tones.ts'

const path = '/api/applications/applications'
const listPath = '/admin/candidatures'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return { application: await getJson<Application>(`${path}/${encodeURIComponent(params.id)}`) }
}

/** One application: what the person sent, and what the staff made of it. */
export default function AdminApplicationPage({ loaderData: { application } }: Route.ComponentProps) {
  const t = useTexts(adminApplicationTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { rights } = useProfile()
  const { busy, run, toast } = useAction()
  const { revalidate } = useRevalidator()
  const [isRemoving, setRemoving] = useState(false)
  const [takenAt, setTakenAt] = useState<number | null>(null)
  const { status } = application
  const address = `${path}/${application.id_application}`
  const isSuspected = status === 'suspected'
  const backPath = isSuspected ? `${listPath}?status=suspected` : listPath
  const canErase = hasRight(rights, 'applications', isSuspected ? 'read_write' : 'administrator')
  const save = (change: ApplicationChange, done: string) =>
    run(() => callApi('PUT', address, { ...change, version: application.version }).finally(revalidate), { done })
  const handleRemove = async () => {
    await run(
      async () => {
        await callApi('DELETE', address)
        const removed: RemovedApplication = { id: application.id_application, reference: application.reference, at: Date.now() }
        await navigate(backPath, { replace: true, state: isSuspected ? { removed } : undefined })
      },
      { done: t('removed') },
    )
    setRemoving(false)
  }
  const handleTake = () =>
    run(async () => {
      await callApi('PUT', address, { status: 'new', version: application.version }).finally(revalidate)
      setTakenAt(Date.now())
    }, {})
  const handleUndo = () =>
    run(
      async () => {
        setTakenAt(null)
        await callApi('POST', `${address}/undo`).finally(revalidate)
      },
      { done: t('undone', { reference: application.reference }) },
    )
  return (
    <>
      <AdminHead
        title={application.name}
        subtitle={application.job_title}
        backTo={backPath}
        actions={
          <>
            <ButtonAnchor
              variant="secondary"
              href={`mailto:${application.email}?subject=${encodeURIComponent(`[${application.reference}]`)}`}
            >
              <MailIcon />
              <span>{t('write', { name: application.name })}</span>
            </ButtonAnchor>
            {canErase && (
              // A suspected one can be brought back, and needs no question.
              <Button variant="danger" busy={busy} onClick={() => (isSuspected ? void handleRemove() : setRemoving(true))}>
                {t('remove')}
              </Button>
            )}
          </>
        }
      />
      <Toast {...toast} />
      <div role="status" className="mb-6 empty:hidden">
        {takenAt !== null && (
          <UndoBar
            key={takenAt}
            at={takenAt}
            lengthMs={undoMs}
            describe={(seconds) => t('taken', { reference: application.reference, seconds })}
            label={t('undo')}
            onUndo={() => void handleUndo()}
            onOver={() => setTakenAt(null)}
          />
        )}
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-6">
          <section className="card grid gap-3 p-6" aria-labelledby="message">
            <h2 id="message" className="text-xl">
              {t('message')}
            </h2>
            <p className="wrap-anywhere whitespace-pre-wrap">{application.message || t('noMessage')}</p>
          </section>
          <section className="card grid gap-3 p-6" aria-labelledby="files">
            <h2 id="files" className="text-xl">
              {t('files')}
            </h2>
            {application.files.length === 0 && <p>{t('noFiles')}</p>}
            <ul className="grid gap-3">
              {application.files.map(({ id_file: id, name, size }) => (
                <li key={id}>
                  <a
                    href={apiAddress(`${address}/files/${id}`)}
                    download
                    className="inline-flex items-center gap-2 py-0.5 font-bold text-brand underline underline-offset-2"
                  >
                    <DownloadIcon />
                    <span className="wrap-anywhere">{t('download', { name, size: formatBytes(size, language) })}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        </div>
        <div className="grid gap-6">
          <Facts application={application} />
          {hasRight(rights, 'applications', 'read_write') && (
            <FollowUp
              key={application.version}
              application={application}
              busy={busy}
              onSave={(change, done) => void save(change, done)}
              onTake={() => void handleTake()}
            />
          )}
        </div>
      </div>
      <ConfirmDialog
        open={isRemoving}
        title={t('removeTitle', { reference: application.reference })}
        consequence={t('removeText')}
        confirmLabel={t('remove')}
        busy={busy}
        onCancel={() => setRemoving(false)}
        onConfirm={() => void handleRemove()}
      />
    </>
  )
}

function Facts({ application }: { application: Application }) {
  const t = useTexts(adminApplicationTexts)
  const language = useLanguage()
  const { status, reference, email, phone, created_at: received, erased_on: erased } = application
  const linkClass = 'wrap-anywhere text-brand underline underline-offset-2'
  return (
    <dl className="card grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 p-6">
      <Fact name={t('status')}>
        <Badge tone={statusTones[status]}>{statusLabels[status][language]}</Badge>
      </Fact>
      <Fact name={t('reference')}>
        <span className="tabular">{reference}</span>
      </Fact>
      <Fact name={t('email')}>
        <a href={`mailto:${email}`} className={linkClass}>
          {email}
        </a>
      </Fact>
      <Fact name={t('phone')}>
        <a href={callAddress(phone)} className={linkClass}>
          {phone}
        </a>
      </Fact>
      <Fact name={t('language')}>{t(application.language)}</Fact>
      {sourceText(application.source) && <Fact name={t('source')}>{sourceText(application.source)}</Fact>}
      <Fact name={t('received')}>
        <Moment at={received} />
      </Fact>
      <Fact name={t('erasedOn')}>
        <Moment at={erased.slice(0, 10)} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-ink-2">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type FollowUpProps = {
  application: Application
  busy: boolean
  onSave: (change: ApplicationChange, done: string) => void
  onTake: () => void
}

function FollowUp({ application, busy, onSave: save, onTake }: FollowUpProps) {
  const t = useTexts(adminApplicationTexts)
  const language = useLanguage()
  const [status, setStatus] = useState(application.status)
  const [note, setNote] = useState(application.note)
  if (application.status === 'suspected') {
    return (
      <div className="card grid gap-4 p-6">
        <p>{t('suspectedText')}</p>
        <Button busy={busy} onClick={onTake}>
          {t('take')}
        </Button>
      </div>
    )
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    save({ status: status as ApplicationStatus, note }, t('saved'))
  }
  return (
    <form className="card grid gap-5 p-6" onSubmit={handleSubmit}>
      <SelectField label={t('status')} value={status} onChange={(event) => setStatus(event.target.value as ApplicationStatus)}>
        {applicationStatuses.map((one) => (
          <option key={one} value={one}>
            {statusLabels[one][language]}
          </option>
        ))}
      </SelectField>
      <TextArea
        label={t('note')}
        hint={t('noteHint')}
        optional
        rows={6}
        maxLength={10_000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" busy={busy}>
        {t('save')}
      </Button>
    </form>
  )
}
