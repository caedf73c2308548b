import { useState } from 'react'
import { company } from '#company/company.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { describePage } from '#src/ui/page/page-meta.ts'
import { LateAnswers } from '#src/ui/search/late-answers.tsx'
import { formTexts } from '../form-texts.ts'
import { serviceCallTexts } from '../service-call-texts.ts'
import type { Route } from './+types/service-call-page.ts'
import { handleFormPost } from './form-action.ts'
import { NetworkNotice } from './network-notice.tsx'
import { CountedTextArea, RequestFormFrame, useRequestForm } from './request-form.tsx'
import type { RequestFormProps } from './request-form.tsx'

const path = '/appel-de-service'

export function loader({ context }: Route.LoaderArgs) {
  return context.get(pageContext).services.requests.startForm('support')
}

export function clientLoader() {
  return { shownAt: null, clientId: null }
}

export const shouldRevalidate = revalidateOn()

export function action(args: Route.ActionArgs) {
  return handleFormPost(args, 'support')
}

export function headers({ actionHeaders, loaderHeaders }: Route.HeadersArgs) {
  return actionHeaders ?? loaderHeaders
}

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, serviceCallTexts, 'title', 'description', path)
}

export default function ServiceCallPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useTexts(serviceCallTexts)
  return (
    <div className="wrap">
      <PageHead title={t('title')} lead={t('lead')} trail={[{ name: t('title'), path }]} />
      <NetworkNotice />
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_20rem]">
        <div className="card p-6 sm:p-8">
          <ServiceCallForm posted={actionData} start={loaderData} />
        </div>
        <ServiceCallAside />
      </div>
    </div>
  )
}

/** Beside the form: what happens next, and the phone number for urgent cases. */
function ServiceCallAside() {
  const t = useTexts(serviceCallTexts)
  const { tollFree } = company.phones
  return (
    <section>
      <h2 className="text-xl">{t('nextTitle')}</h2>
      <ol className="my-4 grid list-decimal gap-3 ps-5 marker:font-bold marker:text-brand">
        <li>{t('next1')}</li>
        <li>{t('next2')}</li>
        <li>{t('next3')}</li>
      </ol>
      <p>
        <span>{t('urgent')}</span>{' '}
        <a
          href={`tel:${tollFree.e164}`}
          className="tabular inline-block py-0.5 font-bold text-brand underline underline-offset-2"
        >
          {tollFree.display}
        </a>
      </p>
    </section>
  )
}

/** The online service call. */
function ServiceCallForm(props: RequestFormProps) {
  const t = useTexts(serviceCallTexts)
  const shared = useTexts(formTexts)
  const form = useRequestForm('support', props)
  const [subject, setSubject] = useState('')
  return (
    <RequestFormFrame form={form} sendLabel={t('send')} withUsername>
      <input type="hidden" name="action" value="send_request" />
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField label={t('firstname')} autoComplete="given-name" {...form.field('firstname')} />
        <TextField label={t('lastname')} autoComplete="family-name" {...form.field('lastname')} />
        <TextField label={shared('email')} type="email" autoComplete="email" {...form.field('email')} />
        <TextField label={shared('phone')} type="tel" autoComplete="tel" {...form.field('phone')} />
      </div>
      <div className="grid gap-3" onInput={({ target }) => setSubject((target as HTMLInputElement).value)}>
        <TextField label={t('subject')} {...form.field('subject')} />
        <LateAnswers text={subject} place="form" />
      </div>
      <CountedTextArea label={t('descriptionLabel')} hint={t('descriptionTip')} {...form.field('description')} />
    </RequestFormFrame>
  )
}
