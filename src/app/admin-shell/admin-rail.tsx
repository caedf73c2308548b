import type { FocusEvent, PointerEvent } from 'react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import type { MenuGroup } from '#src/lib/feature.ts'
import { menuGroups } from '#src/lib/feature.ts'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { deviceStorage } from '#src/ui/storage.ts'

export const counterPath = '/admin/panel'

const icons: Record<string, ReturnType<typeof pathIcon>> = {
  [counterPath]: pathIcon('M4 20V11a8 8 0 0 1 16 0v9M2.5 20h19M12 5v4m-3 3a3 3 0 0 1 6 0zm1.5 2.5h3'),
  '/admin/chat': pathIcon('M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5'),
  '/admin/chat/figures': pathIcon('M4 20h16M7 16v-4m5 4V6m5 10v-7'),
  '/admin/chat/settings': pathIcon('M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5m-6 5v5'),
  '/admin/demandes': pathIcon('M4 7h16v3.5a1.5 1.5 0 0 0 0 3V17H4v-3.5a1.5 1.5 0 0 0 0-3zM14 7v2m0 2v2m0 2v2'),
  '/admin/equipe': pathIcon(
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6 9a6 6 0 0 1 12 0m0-15.5a3.5 3.5 0 0 1 0 6M17.5 14.5a6 6 0 0 1 3.5 5.5',
  ),
  '/admin/candidatures': pathIcon('M6 3h9l4 4v14H6zM9 12h7M9 16h7M9 8h3'),
  '/admin/emplois': pathIcon('M4 8h16v11H4zm5 0V5h6v3M4 13h16'),
  '/admin/reseau': pathIcon('M3 12h4l3-7 4 14 3-7h4'),
  '/admin/reseau/pannes': pathIcon('M13 3 5 14h6l-1 7 8-11h-6z'),
  '/admin/reseau/surveillance': pathIcon('M12 12h.01M8.5 15.5a5 5 0 1 1 7 0M5.7 18.3a9 9 0 1 1 12.6 0'),
  '/admin/reseau/abonnes': pathIcon('M3.5 6h17v12h-17zm0 .5L12 13l8.5-6.5'),
  '/admin/annonces': pathIcon('M3.5 11.5l17-7-6 16-3.5-6.5zM11 14l9.5-9.5'),
  '/admin/articles': pathIcon('M12 6.5C10 5 7 4.5 4 5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5zm0 0v13'),
  '/admin/articles/search': pathIcon('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2 4.5 4.5'),
  '/admin/notes': pathIcon('M5 4h14v11l-4 5H5zm14 11h-4v5M8 9h8M8 13h4'),
  '/admin/recordings': pathIcon('M12 14a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3zm-6-3a6 6 0 0 0 12 0m-6 6v3'),
  '/admin/users': pathIcon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7.5 8a7.5 7.5 0 0 1 15 0'),
  '/admin/groups': pathIcon('M8 14a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm4-4h9m-3 0v4'),
  '/admin/parameters/updater': pathIcon('M4 10v4h4l7 4V6L8 10zm15-1.5a5 5 0 0 1 0 7'),
  '/admin/journal': pathIcon('M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01'),
  '/admin/etat': pathIcon('M4 4h16v7H4zm0 9h16v7H4zm3.5-5.5h.01m-.01 9h.01'),
  '/admin/frequentation': pathIcon('M4 20h16M6 16v-3m4 3V9m4 7v-5m4 5V5'),
  '/admin/textes': pathIcon('M6 3h9l4 4v14H6zm9 0v4h4M9 11h7M9 14h7M9 17h4'),
  '/admin/importer': pathIcon('M12 15V4M7 9l5-5 5 5M5 20h14'),
  '/admin/exports': pathIcon('M12 4v11m-5-5 5 5 5-5M5 20h14'),
  '/admin/redirects': pathIcon('M4 7h9a4 4 0 0 1 0 8H5m4-4-4 4 4 4'),
  '/admin/entreprise': pathIcon('M5 20V4h9v16M14 9h5v11M3 20h18M8 8h3M8 12h3M8 16h3'),
  '/admin/privacy': pathIcon('M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6zM9 12l2.2 2.2L15.2 10'),
}
export const RailIcon = pathIcon('M4 5h16v14H4zM9 5v14')

/** What stands for a page in the menu: its icon, or the first letters of one without. */
export function PageMark({ path, label }: { path: string; label: string }) {
  const Icon = icons[path]
  return (
    <span className="admin-mark" aria-hidden="true">
      {Icon ? <Icon size={20} /> : label.slice(0, 2)}
    </span>
  )
}

const storageKey = 'admin_menu'
const narrow = '(64rem <= width < 90rem)'
const wide = '(width >= 64rem)'

/** Whether the menu is a rail: by choice on this device, and by itself beside the conversations of a narrow window. */
export function useRail() {
  const { pathname } = useLocation()
  const isNarrow = useMedia(narrow)
  const isWide = useMedia(wide)
  const [choice, setChoice] = useState(() => deviceStorage.read(storageKey))
  const isUsual = isNarrow && pathname === '/admin/chat'
  const isRail = isWide && (choice === 'rail' || (choice !== 'full' && isUsual))
  const toggle = () => {
    const next = isRail === isUsual ? (isRail ? 'full' : 'rail') : null
    deviceStorage.write(storageKey, next)
    setChoice(next)
  }
  return { isRail, toggle }
}

/** In a low window one of the two long groups begins folded, never the current one, so that the menu is whole. */
const low = '(height < 53.75rem)'

/** Which groups of the menu are folded: remembered for this person on this device. */
export function useFolded(userId: number, current: MenuGroup | undefined) {
  const key = `admin_folded:${userId}`
  const isLow = useMedia(low)
  const [stored, setStored] = useState(() => deviceStorage.read(key))
  const isFolded = (group: MenuGroup) =>
    stored === null ? isLow && group === (current === 'system' ? 'website' : 'system') : stored.split(' ').includes(group)
  const toggle = (group: MenuGroup) => {
    const next = menuGroups.filter((one) => (one === group ? !isFolded(one) : isFolded(one))).join(' ')
    deviceStorage.write(key, next)
    setStored(next)
  }
  return { isFolded, toggle }
}

const mostRecent = 6
const recentKey = (userId: number) => `admin_recent:${userId}`

/** The last pages of the administration that this person opened on this device, newest first, without the current one. */
export function findRecent(userId: number) {
  const paths = (deviceStorage.read(recentKey(userId)) ?? '').split(' ').filter(Boolean)
  return paths.filter((path) => path !== location.pathname).slice(0, mostRecent - 1)
}

/** Stores addresses alone, which name nobody. */
export function useRecent(userId: number) {
  const { pathname } = useLocation()
  useEffect(() => {
    const known = (deviceStorage.read(recentKey(userId)) ?? '').split(' ').filter((path) => path && path !== pathname)
    deviceStorage.write(recentKey(userId), [pathname, ...known].slice(0, mostRecent).join(' '))
  }, [userId, pathname])
}

const textFields =
  'textarea, [contenteditable="true"], input:not([type="checkbox"], [type="radio"], [type="file"], [type="button"], [type="submit"])'
/** Longer than a browser takes from the touch that moves the focus to the click that follows it. */
const afterPressMs = 200

/**
 * Whether somebody types in a text field. The press that takes the focus away still counts as typing: what comes back on the
 * screen would move its button away from under the finger.
 */
export function useTyping() {
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    let isPressed = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const isInField = () => document.activeElement?.matches(textFields) ?? false
    const settle = () => {
      clearTimeout(timer)
      if (isInField()) setTyping(true)
      else if (!isPressed) timer = setTimeout(() => !isPressed && setTyping(isInField()), afterPressMs)
    }
    const press = () => {
      isPressed = true
    }
    const release = () => {
      isPressed = false
      settle()
    }
    const listeners = { focusin: settle, focusout: settle, pointerdown: press, pointerup: release, pointercancel: release }
    for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener, true)
    settle()
    return () => {
      clearTimeout(timer)
      for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener, true)
    }
  }, [])
  return isTyping
}

function useMedia(query: string) {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}

/** The names beside the marks of the rail, shown with the pointer or the focus on one and hidden by Escape. */
export function useRailNames() {
  const menu = useRef<HTMLElement>(null)
  useEffect(() => {
    const hide = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') menu.current?.setAttribute('data-names', 'hidden')
    }
    document.addEventListener('keydown', hide)
    return () => document.removeEventListener('keydown', hide)
  }, [])
  // Fixed, since a name inside the scrolled menu would be cut off.
  const place = ({ target, currentTarget }: PointerEvent<HTMLElement> | FocusEvent<HTMLElement>) => {
    const link = target instanceof Element ? target.closest<HTMLElement>('.admin-link') : null
    if (!link) return
    currentTarget.removeAttribute('data-names')
    link.style.setProperty('--name-top', `${link.getBoundingClientRect().top}px`)
  }
  return { ref: menu, onPointerOver: place, onFocus: place }
}
