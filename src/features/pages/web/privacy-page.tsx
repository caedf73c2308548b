import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { company } from '#company/company.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { getJson } from '#src/ui/api.ts'
import { Link } from '#src/ui/components/link.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'
import { texts } from '#src/ui/page/site-texts.ts'
import type { PolicyPage, PolicyVersion } from '../contract.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/privacy-page.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { TableOfContents, TextBody } from './text-body.tsx'

const privacyTexts = defineTexts({
  fr: {
    print: 'Imprimer cette politique',
    officerTitle: 'Une question sur vos renseignements?',
    officerText: '{name} vous répond par écrit dans les 30 jours.',
    officerWrite: 'Écrire à {email}',
    versions: 'Versions de cette politique',
    inForce: 'En vigueur depuis le {since}',
    former: 'Du {since} au {until}',
    formerShown: 'Vous lisez une version antérieure, en vigueur du {since} au {until}.',
    readCurrent: 'Lire la version en vigueur',
  },
  en: {
    print: 'Print this policy',
    officerTitle: 'A question about your information?',
    officerText: '{name} replies to you in writing within 30 days.',
    officerWrite: 'Write to {email}',
    versions: 'Versions of this policy',
    inForce: 'In force since {since}',
    former: 'From {since} to {until}',
    formerShown: 'You are reading an earlier version, in force from {since} to {until}.',
    readCurrent: 'Read the version in force',
  },
})

const path = '/about/personal_information'

const versionIn = ({ url }: Request) => {
  const asked = new URL(url).searchParams.get('version')
  return asked !== null && /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : null
}

export function loader({ request, context }: Route.LoaderArgs): Promise<PolicyPage> {
  return context.get(pageContext).services.policy.find(readPreferences(request).language, versionIn(request))
}

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const version = versionIn(request)
  const query = `lang=${readStoredPreferences(request).language}${version === null ? '' : `&version=${version}`}`
  return getJson<PolicyPage>(`/api/site/policy?${query}`)
}

export const shouldRevalidate = revalidateOn('company')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { text, shown } = loaderData
  const tags = pageTags(matches, text.title, text.description, path)
  // What no longer holds is read by who looks for it here, and found by nobody else.
  return shown?.until ? [...tags, { name: 'robots', content: 'noindex' }] : tags
}

export default function PrivacyPage({ loaderData: { text, shown, versions } }: Route.ComponentProps) {
  const t = useTexts(privacyTexts)
  const names = useTexts(texts)
  const language = useLanguage()
  const { name, title, email } = company.people.privacyOfficer
  return (
    <div className="wrap">
      <PageHead
        title={text.title}
        lead={text.lead}
        trail={[
          { name: names('about'), path: '/about' },
          { name: names('privacy'), path },
        ]}
        actions={
          <Button variant="secondary" className="needs-script" onClick={() => window.print()}>
            {t('print')}
          </Button>
        }
      />
      <div className="grid gap-x-16 gap-y-8 border-t border-line pt-10 lg:grid-cols-[17rem_1fr]">
        <div className="grid content-start gap-8 lg:sticky lg:top-8 lg:self-start">
          <TableOfContents sections={text.sections} />
        </div>
        <div>
          {shown?.until && (
            <p className="mb-8 max-w-prose rounded-card bg-brand-soft px-5 py-3" role="note">
              <span>{t('formerShown', { since: dayOf(shown.since, language), until: dayOf(shown.until, language) })}</span>{' '}
              <Link to={path} className="font-bold text-brand underline">
                {t('readCurrent')}
              </Link>
            </p>
          )}
          <TextBody text={text} />
          <Versions versions={versions} shown={shown} />
          <section className="mt-12 grid max-w-prose justify-items-start gap-3 rounded-card bg-brand-soft p-6 print:hidden">
            <h2 className="text-2xl">{t('officerTitle')}</h2>
            <p>{t('officerText', { name: `${name}, ${title[language].toLowerCase()}` })}</p>
            <ButtonAnchor href={`mailto:${email}`}>{t('officerWrite', { email })}</ButtonAnchor>
          </section>
        </div>
      </div>
    </div>
  )
}

/** `formatDay` would weigh on every page that shares a part with this one. */
function dayOf(at: string, language: Language) {
  const { timeZone } = company.hours
  const words = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone }).format(new Date(at))
  return words.replace(/^1 /, '1er ')
}

type VersionsProps = { versions: readonly PolicyVersion[]; shown: PolicyVersion | null }

/** Each version with its dates; those of before are a link. */
function Versions({ versions, shown }: VersionsProps) {
  const t = useTexts(privacyTexts)
  const language = useLanguage()
  if (versions.length === 0) return null
  return (
    <section className="mt-12 max-w-prose">
      <h2 className="mb-3 text-2xl">{t('versions')}</h2>
      <ul className="grid gap-2">
        {versions.map((one) => {
          const { id_version: id, since, until } = one
          const words = until
            ? t('former', { since: dayOf(since, language), until: dayOf(until, language) })
            : t('inForce', { since: dayOf(since, language) })
          return (
            <li key={id}>
              {id === shown?.id_version ? (
                <span aria-current="page">{words}</span>
              ) : (
                <Link to={until ? `${path}?version=${id}` : path} className="inline-block py-0.5 text-brand underline">
                  {words}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
