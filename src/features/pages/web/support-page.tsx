import { defineTexts } from '#src/lib/language/texts.ts'
import type { ReactNode } from 'react'
import { company } from '#company/company.ts'
import { getJson } from '#src/ui/api.ts'
import { ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { PhoneIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { OfferedFile } from '../contract.ts'
import scene from '#src/ui/illustrations/night-desk.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/support-page.ts'
import { BusinessJsonLd } from '#src/ui/page/business-json-ld.tsx'
import { DownloadList } from './download-list.tsx'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { TextBody } from './text-body.tsx'
import { fetchText, findText } from './text-loader.ts'

const supportTexts = defineTexts({
  fr: {
    scene: 'Une technicienne de garde travaille la nuit sous une lampe, près d’un chat endormi.',
    waysTitle: 'Trois façons de nous joindre',
    formTitle: 'Appel de service',
    formText: 'Remplissez le formulaire en ligne : vous recevez un numéro de demande.',
    formAction: 'Faire un appel de service',
    tollFreeTitle: 'Sans frais',
    tollFreeText: 'De partout au Canada. Jour et nuit pour les urgences.',
    quebecTitle: 'Région de Québec',
    quebecText: 'Le même service, à un numéro local.',
    remoteTitle: 'Outils d’assistance à distance',
    remoteText: 'À télécharger seulement quand un technicien vous le demande, ou juste avant de nous appeler.',
  },
  en: {
    scene: 'A technician on call works under a lamp at night beside a sleeping cat.',
    waysTitle: 'Three ways to reach us',
    formTitle: 'Service call',
    formText: 'Fill in the online form: you receive a request number.',
    formAction: 'Place a service call',
    tollFreeTitle: 'Toll-free',
    tollFreeText: 'From anywhere in Canada. Day and night for emergencies.',
    quebecTitle: 'Quebec City area',
    quebecText: 'The same service, at a local number.',
    remoteTitle: 'Remote-assistance tools',
    remoteText: 'Download one only when a technician asks you to, or just before you call us.',
  },
})

export async function loader(args: Route.LoaderArgs) {
  const { site } = args.context.get(pageContext).services
  const [text, downloads, hours] = await Promise.all([findText('support', args), site.findDownloads(), site.findHours()])
  return { text, downloads, hours }
}

export async function clientLoader(args: Route.ClientLoaderArgs) {
  const [text, downloads] = await Promise.all([fetchText('support', args), getJson<OfferedFile[]>('/api/site/downloads')])
  return { text, downloads, hours: null }
}

export const shouldRevalidate = revalidateOn('company')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.text.title, loaderData.text.description, '/support') : []
}

export default function SupportPage({ loaderData: { text, downloads, hours } }: Route.ComponentProps) {
  const t = useTexts(supportTexts)
  const { tollFree, quebec } = company.phones
  return (
    <div className="wrap">
      <PageHead
        title={text.title}
        lead={text.lead}
        trail={[{ name: text.title, path: '/support' }]}
        scene={{ src: scene, alt: t('scene') }}
      />
      <section aria-label={t('waysTitle')} className="grid gap-6 md:grid-cols-3">
        <Way title={t('formTitle')} text={t('formText')}>
          <ButtonLink to="/appel-de-service">{t('formAction')}</ButtonLink>
        </Way>
        <Way title={t('tollFreeTitle')} text={t('tollFreeText')}>
          <CallButton phone={tollFree} />
        </Way>
        <Way title={t('quebecTitle')} text={t('quebecText')}>
          <CallButton phone={quebec} />
        </Way>
      </section>
      <section className="mt-16 grid gap-6">
        <div className="grid gap-2">
          <h2>{t('remoteTitle')}</h2>
          <p className="max-w-prose text-ink-2">{t('remoteText')}</p>
        </div>
        <DownloadList files={downloads.filter((file) => file.use === 'remote_assistance')} />
      </section>
      <div className="mt-16">
        <TextBody text={text} />
      </div>
      <BusinessJsonLd hours={hours} />
    </div>
  )
}

function Way({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="card flex flex-col items-start gap-3 p-6">
      <h2 className="text-xl">{title}</h2>
      <p className="grow text-ink-2">{text}</p>
      {/* oxlint-disable-next-line guichet/own-element -- a button, never a bare text */}
      {children}
    </div>
  )
}

function CallButton({ phone }: { phone: { display: string; e164: string } }) {
  return (
    <ButtonAnchor variant="secondary" href={`tel:${phone.e164}`}>
      <PhoneIcon />
      <span className="tabular">{phone.display}</span>
    </ButtonAnchor>
  )
}
