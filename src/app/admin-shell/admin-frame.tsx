import type { ComponentType, FocusEvent, ReactNode } from 'react'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import type { Profile } from '#src/features/people/contract.ts'
import { logOff } from '#src/features/people/sign-in/web/session.ts'
import {
  PendingCount,
  ClosingElsewhere,
  OwnLamp,
  OwnPresence,
  OwnStatus,
  useStaffChat,
} from '#src/features/chat/console/staff-chat.tsx'
import { areSingleKeysOn } from '#src/features/chat/console/single-keys.tsx'
import { SampleBar } from '#src/features/company/web/sample-bar.tsx'
import { OutageUndoBar } from '#src/features/networks/web/undo-bar.tsx'
import type { AdminPage } from '#src/lib/feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import { Button } from '#src/ui/components/button.tsx'
import { closeOnEscape } from '#src/ui/components/close-on-escape.ts'
import { ChevronIcon, MenuIcon, SearchIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { SavedNotice, Toast } from '#src/ui/components/toast.tsx'
import { adminTexts } from './admin-texts.ts'
import { LengthNotice, StrayFiles } from './field-guards.tsx'
import type { MenuSection } from './admin-menu.ts'
import { menuFor } from './admin-menu.ts'
import { counterPath, PageMark, RailIcon, useFolded, useRail, useRailNames, useRecent, useTyping } from './admin-rail.tsx'
import { LanguageSwitch } from '../language-switch.tsx'
import { UnstoredNotice } from '#src/ui/forms/unstored-notice.tsx'
import { Logo } from '#src/ui/components/logo.tsx'
import './admin.css'
import './print.css'
import './admin-menu.css'

/** Paths accessible until the user sets up 2FA where the group requires it. */
const noRights = {}

type AdminFrameProps = {
  profile: Profile
  /** Entries of the sample content; null for whom it is not theirs to empty. */
  sample: number | null
  children: ReactNode
}

/**
 * Sidebar with the sections that the user may open, and the page beside it; on a phone a bar at the bottom with the first ones,
 * and the sidebar as a sheet behind its last button.
 */
export function AdminFrame({ profile, sample, children }: AdminFrameProps) {
  const t = useTexts(adminTexts)
  const { pathname, key } = useLocation()
  const { location: next } = useNavigation()
  const isLeaving = next !== undefined && next.pathname !== pathname
  const menu = useRef<HTMLDetailsElement>(null)
  const person = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (!key) return
    menu.current?.removeAttribute('open')
    person.current?.removeAttribute('open')
  }, [key])

  const { isRail, toggle } = useRail()
  const isTyping = useTyping()
  const { palette, open: openPalette } = usePalette(profile)
  useRecent(profile.id_user)
  // The conversation on a phone fills the window.
  const hasBar = pathname !== '/admin/chat' && !profile.totp_required

  return (
    <div className="admin" data-rail={isRail || undefined} data-bar={hasBar || undefined} data-typing={isTyping || undefined}>
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
              <div className="admin-person">
                <OwnStatus userId={profile.id_user} />
                <OwnAccount profile={profile} />
              </div>
            </div>
          </details>
          {openPalette && (
            <button type="button" className="admin-find-narrow" aria-label={t('searchName')} onClick={openPalette}>
              <SearchIcon />
            </button>
          )}
          <button
            type="button"
            className="admin-rail-button"
            aria-label={t(isRail ? 'widen' : 'narrow')}
            title={t(isRail ? 'widen' : 'narrow')}
            onClick={toggle}
          >
            <RailIcon />
          </button>
        </div>
        <div className="admin-menu-wide">
          {openPalette && (
            <button
              type="button"
              className="admin-find"
              aria-label={isRail ? t('searchName') : undefined}
              aria-keyshortcuts="Control+K /"
              title={isRail ? t('searchName') : undefined}
              onClick={openPalette}
            >
              <SearchIcon size={18} />
              <span>{t('search')}</span>
              <kbd>Ctrl K</kbd>
            </button>
          )}
          <AdminMenu profile={profile} isRail={isRail} />
          <details ref={person} className="admin-user" onKeyDown={closeOnEscape} onBlur={closeOnLeave}>
            <summary>
              <span className="admin-avatar">
                <span aria-hidden="true">{initialsOf(profile.display_name)}</span>
                <OwnLamp />
              </span>
              <span className="admin-user-name">
                <span className="truncate font-bold" translate="no">
                  {profile.display_name}
                </span>
                <OwnStatus userId={profile.id_user} />
              </span>
              <span className="sr-only">{t('account')}</span>
              <ChevronIcon className="admin-user-sign" />
            </summary>
            <div className="night admin-person">
              <OwnAccount profile={profile} />
            </div>
          </details>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="admin-content">
        <ClosingElsewhere />
        {sample !== null && pathname !== '/admin/chat' && <SampleBar initial={sample} />}
        {pathname !== '/admin/chat' && <UnstoredNotice />}
        <LoadingOverlay busy={isLeaving}>{children}</LoadingOverlay>
        {!profile.totp_required && hasRight(profile.rights, 'networks', 'read_write') && <OutageUndoBar />}
      </main>
      {hasBar && <BottomBar profile={profile} />}
      <SavedNotice />
      <LengthNotice />
      <StrayFiles />
      {palette}
    </div>
  )
}

type PaletteProps = { profile: Profile; typed: string; onClose: () => void }

/** Where letters are typed, or choose something. */
const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"], dialog[open]') !== null

/** The command palette, loaded when it is first opened: by its button, by Ctrl and K wherever no editor takes them, or by a slash. */
function usePalette(profile: Profile) {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>()
  const [isOpen, setOpen] = useState(false)
  const [isFailed, setFailed] = useState(false)
  /** What is typed before the palette is there; null where it is, or is not wanted. */
  const typed = useRef<string | null>(null)
  const t = useTexts(adminTexts)
  const open = useCallback(() => {
    typed.current = ''
    setOpen(true)
    import('./palette.tsx').then(
      (loaded) => setPalette(() => loaded.default),
      (error: unknown) => {
        typed.current = null
        setOpen(false)
        setFailed(true)
        console.warn(error)
      },
    )
  }, [])
  const close = () => {
    typed.current = null
    setOpen(false)
  }
  const mayOpen = !profile.totp_required
  useEffect(() => {
    const early = globalThis.takePaletteKeys?.() ?? null
    if (early === null || !mayOpen) return
    open()
    typed.current = early
  }, [mayOpen, open])
  useEffect(() => {
    if (!mayOpen) return
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      if (typed.current !== null && !event.ctrlKey && !event.metaKey && (event.key.length === 1 || event.key === 'Backspace')) {
        typed.current = event.key === 'Backspace' ? typed.current.slice(0, -1) : typed.current + event.key
        event.preventDefault()
        return
      }
      const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k'
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isField(event.target) && areSingleKeysOn()
      if (!isCommand && !isSlash) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) open()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [mayOpen, open])
  const isShown = isOpen && mayOpen && Palette !== undefined
  // Its field has the focus by now.
  useEffect(() => {
    if (isShown) typed.current = null
  }, [isShown])
  const palette = (
    <>
      {isShown && <Palette profile={profile} typed={typed.current ?? ''} onClose={close} />}
      <Toast status={isFailed ? 'error' : null} onHide={() => setFailed(false)}>
        {t('searchFailed')}
      </Toast>
    </>
  )
  return { palette, open: mayOpen ? open : undefined }
}

const sectionsOf = ({ totp_required: mustSetUpTotp, rights }: Profile) => menuFor(mustSetUpTotp ? noRights : rights)
const barPages = new Set(['/admin/chat', '/admin/demandes', '/admin/reseau'])

/** On a phone: the counter and what is opened most, beside the button of the menu. */
function BottomBar({ profile }: { profile: Profile }) {
  const t = useTexts(adminTexts)
  const language = useLanguage()
  const { pathname } = useLocation()
  const sections = sectionsOf(profile)
  const current = sectionOf(pathname, sections)
  const pages = sections.flatMap((section) => section.pages).filter(({ path }) => barPages.has(path))
  const nameOf = ({ path, label }: AdminPage) => (path === '/admin/reseau' ? t('networks') : label[language])
  const links = [{ path: counterPath, name: t('counter') }, ...pages.map((page) => ({ path: page.path, name: nameOf(page) }))]
  return (
    <nav aria-label={t('shortcuts')} className="night admin-bottom">
      {links.map(({ path, name }) => (
        <Link key={path} to={path} aria-current={path === current ? 'page' : undefined}>
          <PageMark path={path} label={name} />
          <span>{name}</span>
          {path === '/admin/chat' && <PendingCount />}
        </Link>
      ))}
    </nav>
  )
}

function AdminMenu({ profile, isRail = false }: { profile: Profile; isRail?: boolean }) {
  const t = useTexts(adminTexts)
  const language = useLanguage()
  const { pathname } = useLocation()
  const id = useId()
  const sections = sectionsOf(profile)
  const section = sectionOf(pathname, sections)
  const names = useRailNames()
  const currentGroup = sections.find(({ pages }) => pages.some(({ path }) => path === section))?.group
  const { isFolded, toggle } = useFolded(profile.id_user, currentGroup)
  const menu = useRef<HTMLElement>(null)
  // The current entry of a long menu can be out of view.
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would call as a cleanup.
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [section])
  return (
    <nav ref={menu} aria-label={t('navigation')} className="admin-menu" {...(isRail ? names : {})}>
      {!profile.totp_required && <MenuLink path={counterPath} name={t('counter')} current={section} />}
      {sections.map(({ group, pages }) => (
        <div key={group}>
          <button
            type="button"
            className="admin-section"
            aria-expanded={isRail || !isFolded(group)}
            aria-controls={`${id}-${group}`}
            onClick={() => toggle(group)}
          >
            <span>{t(group)}</span>
            <ChevronIcon size={16} />
          </button>
          <ul id={`${id}-${group}`} hidden={!isRail && isFolded(group)}>
            {entriesOf(pages).map(({ path, label, menuLabel = label }) => (
              <li key={path}>
                <MenuLink path={path} name={menuLabel[language]} current={entryOf(section, pages)} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Without those that stand under another one that the user may open. */
const entriesOf = (pages: readonly AdminPage[]) => pages.filter(({ under }) => !pages.some(({ path }) => path === under))

/** The menu entry of a section. */
function entryOf(section: string | undefined, pages: readonly AdminPage[]) {
  const under = pages.find(({ path }) => path === section)?.under
  return pages.find(({ path }) => path === under)?.path ?? section
}

function MenuLink({ path, name, current }: { path: string; name: string; current: string | undefined }) {
  return (
    <Link to={path} className="admin-link" aria-current={path === current ? 'page' : undefined}>
      <PageMark path={path} label={name} />
      <span className="admin-name">{name}</span>
      {path === '/admin/chat' && <PendingCount />}
    </Link>
  )
}

function OwnAccount({ profile }: { profile: Profile }) {
  const t = useTexts(adminTexts)
  const navigate = useNavigate()
  const staff = useStaffChat()
  const handleSignOut = async () => {
    if (staff && !(await staff.confirmLeave('signOut'))) return
    await logOff()
    await navigate('/admin/login', { replace: true })
  }
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-bold wrap-anywhere" translate="no">
          {profile.display_name}
        </p>
        <Link to="/admin/profile" className="text-sm font-bold text-brand underline">
          {t('profile')}
        </Link>
      </div>
      <p className="text-sm text-ink-2" translate="no">
        {profile.group}
      </p>
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
  if (pathname === counterPath) return counterPath
  const lists = sections.flatMap(({ pages }) => pages.map(({ path }) => path))
  const around = lists.filter((list) => pathname.startsWith(list.replace(/s$/, '')))
  return around.toSorted((one, other) => other.length - one.length)[0]
}
