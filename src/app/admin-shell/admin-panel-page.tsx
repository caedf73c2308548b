import { useLocation } from 'react-router'
import { ReviewNotice } from '#src/features/articles/web/admin-articles-page.tsx'
import { FirstSteps } from '#src/features/chat/console/first-steps.tsx'
import { EmailNotice, PasswordNotice } from '#src/features/people/account/web/account-notices.tsx'
import { hasRight } from '#src/lib/rights.ts'
import { SuspectedNotice } from '#src/features/requests/web/request-badges.tsx'
import { TranslationList } from '#src/features/content/translations/web/translation-list.tsx'
import { NetworkCard } from '#src/features/networks/web/network-card.tsx'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { adminTexts } from './admin-texts.ts'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { menuFor } from './admin-menu.ts'

/** 'Section administrative': buttons of the sections that the user may edit. */
export default function AdminPanelPage() {
  const t = useTexts(adminTexts)
  const language = useLanguage()
  const profile = useProfile()
  const { state } = useLocation() as { state: { from?: string } | null }
  const from = state?.from?.startsWith('/admin/') ? state.from : null
  return (
    <>
      <h1 className="mb-6 text-3xl">{t('panelTitle')}</h1>
      {from && (
        <p className="mb-6 rounded-card bg-brand-soft px-5 py-4">
          <span>{t('continueTo', { path: from })}</span>{' '}
          <Link to={from} className="font-bold text-brand underline">
            {t('continueLink')}
          </Link>
        </p>
      )}
      <PasswordNotice profile={profile} />
      <EmailNotice profile={profile} />
      <FirstSteps />
      {menuFor(profile.rights).map(({ group, pages }) => (
        <section key={group} className="mb-8">
          <h2 className="mb-3 text-xl">{t(group)}</h2>
          <ul className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
            {pages.map(({ path, label, panel }) => (
              <li key={path} className="grid content-start justify-items-start gap-1">
                <ButtonLink to={path} variant={group === 'website' ? 'primary' : 'secondary'}>
                  {(panel.label ?? label)[language]}
                </ButtonLink>
                <span className="text-sm text-ink-2">{panel.opens[language]}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hasRight(profile.rights, 'requests', 'read_only') && <SuspectedNotice />}
      {hasRight(profile.rights, 'articles', 'read_write') && <ReviewNotice />}
      {hasRight(profile.rights, 'networks', 'read_only') && (
        <NetworkCard canWrite={hasRight(profile.rights, 'networks', 'read_write')} />
      )}
      <TranslationList />
    </>
  )
}
