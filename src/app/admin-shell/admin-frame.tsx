import type { FocusEvent, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import type { Profile } from '#src/features/people/contract.ts'
import { logOff } from '#src/features/people/sign-in/web/session.ts'
import { PendingCount, ClosingElsewhere, OwnLamp, OwnPresence, useStaffChat } from '#src/features/chat/console/staff-chat.tsx'
import { OutageUndoBar } from '#src/features/networks/web/undo-bar.tsx'
import { hasRight } from '#src/lib/rights.ts'
import { Button } from '#src/ui/components/button.tsx'
import { closeOnEscape } from '#src/ui/components/close-on-escape.ts'
import { MenuIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { SavedNotice } from '#src/ui/components/toast.tsx'
import { adminTexts } from './admin-texts.ts'
import type { MenuSection } from './admin-menu.ts'
import { menuFor } from './admin-menu.ts'
import { PageMark, RailIcon, useRail, useRailNames } from './admin-rail.tsx'
import { LanguageSwitch } from '../language-switch.tsx'
import { UnstoredNotice } from '#src/ui/forms/unstored-notice.tsx'
import { Logo } from '#src/ui/components/logo.tsx'
import './admin.css'

/** Paths accessible until the user sets up 2FA where the group requires it. */
const noRights = {}

type AdminFrameProps = { profile: Profile; children: ReactNode }

/**
 * Sidebar with the sections that the user may open, and the page beside it; on a phone the sidebar is a sheet behind a button.
 */
export function AdminFrame({ profile, children }: AdminFrameProps) {
  const t = useTexts(adminTexts)
  const { pathname, key } = useLocation()
  const { location: next } = useNavigation()
  const isLeaving = next !== undefined && next.pathname !== pathname
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (key) menu.current?.removeAttribute('open')
  }, [key])

  const { isRail, toggle } = useRail()

  return (
    <div className="admin" data-rail={isRail || undefined}>
      <a className="button button-primary sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2" href="#content">
        {t('skip')}
      </a>
      <header className="night admin-bar">
        <div className="admin-brand">
          <Link to="/admin/panel">
            <Logo />
          </Link>
          <details ref={menu} className="admin-menu-narrow" onKeyDown={closeOnEscape}>
            <summary className="button button-quiet">
              <MenuIcon />
              <span>{t('menu')}</span>
            </summary>
            <div className="night admin-sheet">
              <AdminMenu profile={profile} />
            </div>
          </details>
        </div>
        <div className="admin-menu-wide">
          <AdminMenu profile={profile} isRail={isRail} onRail={toggle} />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="admin-content">
        <ClosingElsewhere />
        {pathname !== '/admin/chat' && <UnstoredNotice />}
        <LoadingOverlay busy={isLeaving}>{children}</LoadingOverlay>
        {!profile.totp_required && hasRight(profile.rights, 'networks', 'read_write') && <OutageUndoBar />}
      </main>
      <SavedNotice />
    </div>
  )
}

type AdminMenuProps = { profile: Profile; isRail?: boolean; onRail?: () => void }

function AdminMenu({ profile, isRail = false, onRail }: AdminMenuProps) {
  const t = useTexts(adminTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const sections = menuFor(profile.totp_required ? noRights : profile.rights)
  const current = sectionOf(pathname, sections)
  const names = useRailNames()
  const staff = useStaffChat()
  const handleSignOut = async () => {
    if (staff && !(await staff.confirmLeave('signOut'))) return
    await logOff()
    await navigate('/admin/login', { replace: true })
  }
  const person = (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-bold wrap-anywhere">{profile.display_name}</p>
        <Link to="/admin/profile" className="text-sm font-bold text-brand underline">
          {t('profile')}
        </Link>
      </div>
      <p className="text-sm text-ink-2">{profile.group}</p>
      <OwnPresence userId={profile.id_user} />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <LanguageSwitch />
        <a className="admin-link text-sm" href="/">
          {t('publicSite')}
        </a>
      </div>
      <Button variant="secondary" size="small" wide className="mt-2" onClick={() => void handleSignOut()}>
        {t('signOut')}
      </Button>
    </>
  )
  return (
    <div className="admin-menu">
      <nav aria-label={t('navigation')} {...(isRail ? names : {})}>
        {sections.map((section) => (
          <div key={section.group} className="mb-2">
            <p className="admin-section">{t(section.group)}</p>
            <ul>
              {section.pages.map(({ path, label }) => (
                <li key={path}>
                  <Link to={path} className="admin-link" aria-current={path === current ? 'page' : undefined}>
                    {isRail && <PageMark path={path} label={label[language]} />}
                    <span className="admin-name">{label[language]}</span>
                    {path === '/admin/chat' && <PendingCount />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {onRail && (
        <button
          type="button"
          className="admin-rail-button"
          aria-label={t(isRail ? 'widen' : 'narrow')}
          title={t(isRail ? 'widen' : 'narrow')}
          onClick={onRail}
        >
          <RailIcon />
        </button>
      )}
      {isRail ? (
        <details className="admin-user" onKeyDown={closeOnEscape} onBlur={closeOnLeave}>
          <summary>
            <span>{initialsOf(profile.display_name)}</span>
            <span className="sr-only">{`${profile.display_name}, ${t('account')}`}</span>
            <OwnLamp />
          </summary>
          <div className="night admin-person">{person}</div>
        </details>
      ) : (
        <div className="admin-person">{person}</div>
      )}
    </div>
  )
}

const initialsOf = (name: string) =>
  name
    .split(/[\s-]+/)
    .map((word) => word.slice(0, 1))
    .slice(0, 2)
    .join('')
    .toUpperCase()

function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false
}

/**
 * The form of an entry belongs to the section of its list (`/admin/emploi_edit/3` to `/admin/emplois`); the longest matching
 * path wins.
 */
function sectionOf(pathname: string, sections: MenuSection[]) {
  const lists = sections.flatMap(({ pages }) => pages.map(({ path }) => path))
  const around = lists.filter((list) => pathname.startsWith(list.replace(/s$/, '')))
  return around.toSorted((one, other) => other.length - one.length)[0]
}
