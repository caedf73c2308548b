import { launcherTexts, chatButton } from '#src/features/chat/widget/launcher.tsx'
import type { openChat } from '#src/features/chat/widget/launcher.tsx'
import { Opening } from '#src/features/chat/widget/opening.tsx'
import counterScene from '#src/ui/illustrations/counter.svg'
import type { Availability } from '#src/lib/availability.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useHydrated } from '#src/ui/first-load.ts'
import { texts } from '../texts.ts'
import type { ReactNode } from 'react'
import { company } from '#company/company.ts'
import vanScene from '#src/ui/illustrations/van.svg'
import { Disclosure } from '#src/ui/components/card.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import type { PublicContext } from '#src/ui/page/public-context.ts'
import { texts as siteTexts } from '#src/ui/page/site-texts.ts'

type HomeHeroProps = { availability: Availability | null; onOpenChat?: typeof openChat }

export function HomeHero({ availability, onOpenChat }: HomeHeroProps) {
  const t = useTexts(texts)
  const launcher = useTexts(launcherTexts)
  const isReady = useHydrated()
  const state = availability?.state ?? 'open'
  return (
    <section className="grid items-center gap-x-12 gap-y-10 py-12 md:py-16 lg:grid-cols-[1.1fr_1fr]">
      <div>
        <h1>
          <span className="block text-balance">{`${t('title')} `}</span>
          <span className="block text-balance">{t(state === 'open' ? 'openThen' : 'laterThen')}</span>
        </h1>
        <p className="mt-6 max-w-xl text-lg text-ink-2">{t('lead')}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          {onOpenChat && (
            <ButtonLink to="/appel-de-service" className="needs-script" {...chatButton(isReady)} onClick={onOpenChat}>
              {state === 'open' ? t('chat') : launcher('leaveMessage')}
            </ButtonLink>
          )}
          <ButtonLink to="/appel-de-service" variant={onOpenChat ? 'secondary' : 'primary'}>
            {t('serviceCall')}
          </ButtonLink>
        </div>
        {/* Reserves the height of the line until its text is loaded, and on a phone the place of the chat's bubble beside it. */}
        <p className="mt-6 min-h-7 text-ink-2 max-sm:pe-14">{availability && <Opening availability={availability} />}</p>
      </div>
      {/* The lamp tells what is alive: out while nobody is at the counter. */}
      <img
        src={state === 'open' ? counterScene : `${counterScene}#out`}
        width="640"
        height="600"
        fetchPriority="high"
        alt={t('scene')}
        className="scene"
      />
    </section>
  )
}

type HomeBoardProps = {
  network: PublicContext['network']
  /** How long the chat usually takes to answer; null with too few cases. */
  usualMinutes: number | null
}

/** The claim, the four notices, and beside the picture how things are now and a customer's words. */
export function HomeBoard({ network, usualMinutes }: HomeBoardProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const site = useTexts(siteTexts)
  const { securityContact, recruiter } = company.people
  return (
    <section aria-label={t('panelsTitle')} className="grid gap-12 pt-20 lg:grid-cols-2 lg:gap-16">
      <div>
        <p>
          <span className="block text-[clamp(4.5rem,3rem+6vw,7rem)] leading-none font-extrabold tracking-tighter text-brand numeral">
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
        {(network || usualMinutes !== null) && (
          <div className="card mt-10 grid gap-3 p-6">
            <h2 className="text-xl">{t('now')}</h2>
            {network && (
              <Link to="/reseau" className="flex items-center gap-3 font-bold">
                <StatusIcon status={network.status} />
                <span>{site(`network${network.status}`)}</span>
              </Link>
            )}
            {usualMinutes !== null && <p>{t('usual', { count: usualMinutes })}</p>}
          </div>
        )}
        {t('quote') && (
          <figure className="mt-10">
            <blockquote className="text-xl">
              <p>{t('quoted', { quote: t('quote') })}</p>
            </blockquote>
            <figcaption className="mt-3 text-ink-2">{t('quoteBy')}</figcaption>
          </figure>
        )}
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
