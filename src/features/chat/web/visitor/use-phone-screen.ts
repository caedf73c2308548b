import type { RefObject } from 'react'
import { useEffect } from 'react'

/** Keeps the panel to the part of a phone's screen that the keyboard leaves free. */
export function usePhoneScreen(panel: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const view = window.visualViewport
    const fit = () => {
      if (!view) return
      // Zoomed in with two fingers, the visitor chooses what to see.
      const isZoomed = view.scale > 1.01
      panel.current?.style.setProperty('--chat-top', isZoomed ? null : `${view.offsetTop}px`)
      panel.current?.style.setProperty('--chat-height', isZoomed ? null : `${view.height}px`)
    }
    fit()
    view?.addEventListener('resize', fit)
    view?.addEventListener('scroll', fit)
    return () => {
      view?.removeEventListener('resize', fit)
      view?.removeEventListener('scroll', fit)
    }
  }, [panel])
}
