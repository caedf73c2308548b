import type { ReactNode } from 'react'
import { company } from '#company/company.ts'
import vanScene from '#src/ui/illustrations/van.svg'
import { Disclosure } from '#src/ui/components/disclosure.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { texts } from '../texts.ts'

/** The claim, and the four notices pinned beside it. */
export function HomeBoard() {
  const t = useTexts(texts)
  const language = useLanguage()
  const { securityContact, recruiter } = company.people
  return (
    <section aria-label={t('panelsTitle')} className="grid gap-12 pt-20 lg:grid-cols-2 lg:gap-16">
      <div>
        <p>
          <span className="block text-[clamp(4.5rem,3rem+6vw,7rem)] leading-none font-extrabold tracking-tighter text-brand">
            {`${company.satisfiedClients}+`}
          </span>
          <span className="mt-1 block text-2xl font-extrabold">{t('clientsTitle')}</span>
        </p>
        <p className="mt-3 max-w-md text-lg text-ink-2">{t('clientsText')}</p>
        <img
          src={vanScene}
          width="640"
          height="480"
          loading="lazy"
          decoding="async"
          alt={t('vanScene')}
          className="scene mt-8 aspect-3/2 object-cover object-bottom"
        />
      </div>
      <div className="self-start">
        <Disclosure title={company.news.title[language]} open>
          {company.news.text[language]}
        </Disclosure>
        <Disclosure title={t('securityTitle')}>
          <span>{`${t('securityText', { name: securityContact.name, title: securityContact.title[language] })} `}</span>
          <MailLink email={securityContact.email} />
        </Disclosure>
        <Disclosure title={t('joinTitle')}>
          <span>{`${t('joinText', { name: recruiter.name, title: recruiter.title[language] })} `}</span>
          <MailLink email={recruiter.email} />
          <p className="mt-2">
            <Link to="/emploi" className="font-bold text-brand underline underline-offset-4">
              {t('joinLink')}
            </Link>
          </p>
        </Disclosure>
        <Disclosure title={t('opinionTitle')}>
          <p>{t('opinionText')}</p>
          <p className="mt-2">
            <MailLink email={company.emails.opinion}>{t('opinionLink', { email: company.emails.opinion })}</MailLink>
          </p>
        </Disclosure>
      </div>
    </section>
  )
}

function MailLink({ email, children = email }: { email: string; children?: ReactNode }) {
  return (
    <a href={`mailto:${email}`} className="font-bold text-brand underline underline-offset-4">
      {children}
    </a>
  )
}
