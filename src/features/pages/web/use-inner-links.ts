import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

/** Lets a plain click on a link of a long text go to another page of the site without loading it whole. */
export function useInnerLinks<Container extends HTMLElement>() {
  const container = useRef<Container>(null)
  const navigate = useNavigate()

  useEffect(() => {
    const element = container.current
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a')
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!link || !isPlain || event.defaultPrevented || link.origin !== location.origin || link.pathname === location.pathname)
        return
      event.preventDefault()
      void navigate(link.pathname + link.search + link.hash)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])

  return container
}
