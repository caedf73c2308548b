import { defineTexts } from '#src/lib/language/texts.ts'
import { company } from '#company/company.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/privacy-page.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { TableOfContents, TextBody } from './text-body.tsx'
import { fetchText, findText } from './text-loader.ts'

const privacyTexts = defineTexts({
  fr: {
    print: 'Imprimer cette politique',
    officerTitle: 'Une question sur vos renseignements?',
    officerText: '{name} vous répond par écrit dans les 30 jours.',
    officerWrite: 'Écrire à {email}',
  },
  en: {
    print: 'Print this policy',
    officerTitle: 'A question about your information?',
    officerText: '{name} replies to you in writing within 30 days.',
    officerWrite: 'Write to {email}',
  },
})

const path = '/about/personal_information'

export function loader(args: Route.LoaderArgs) {
  return findText('privacy', args)
}

export function clientLoader(args: Route.ClientLoaderArgs) {
  return fetchText('privacy', args)
}

export const shouldRevalidate = revalidateOn('company')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.title, loaderData.description, path) : []
}

export default function PrivacyPage({ loaderData: text }: Route.ComponentProps) {
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
          <TextBody text={text} />
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
