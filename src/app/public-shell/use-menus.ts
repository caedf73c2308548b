import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Adds to the native menu (a popover on a phone, `details` for the submenus): closes on navigation, on Escape, and when the
 * pointer or focus leaves.
 */
export function useMenus() {
  const menu = useRef<HTMLElement>(null)
  const { key } = useLocation()
  const shownAt = useRef(key)

  useEffect(() => {
    const element = menu.current
    // A menu opened before the script loaded stays open.
    if (!element || shownAt.current === key) return
    shownAt.current = key
    closeSubmenus(element)
    if (isSheet(element)) element.hidePopover()
  }, [key])

  useEffect(() => {
    const element = menu.current
    if (!element) return

    const closeFromOutside = (event: Event) => {
      if (!isSheet(element)) closeSubmenus(element, event.target as Node)
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      const open = openSubmenu(element)
      if (!open) return
      if (open.contains(document.activeElement)) open.querySelector('summary')?.focus()
      open.open = false
    }

    document.addEventListener('pointerdown', closeFromOutside)
    document.addEventListener('focusin', closeFromOutside)
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('pointerdown', closeFromOutside)
      document.removeEventListener('focusin', closeFromOutside)
      document.removeEventListener('keydown', closeOnEscape)
    }
  }, [])

  return menu
}

/** On a phone the menu is a sheet, where closing a submenu would move the link under the finger. */
function isSheet(element: HTMLElement) {
  return 'popover' in element && element.matches(':popover-open')
}

function openSubmenu(element: HTMLElement) {
  return element.querySelector<HTMLDetailsElement>('details[open]')
}

function closeSubmenus(element: HTMLElement, unlessAround?: Node) {
  for (const submenu of element.querySelectorAll<HTMLDetailsElement>('details[open]')) {
    if (!unlessAround || !submenu.contains(unlessAround)) submenu.open = false
  }
}
