import type { EmblaCarouselType } from 'embla-carousel'
import { useEffect, useRef, useState } from 'react'

const slideTime = 7_000

/**
 * Moves a scrollable row of pictures. The row works by itself; the library that makes it turn in a circle
 * comes after it, and nothing turns for who asked for less motion or while the visitor looks closely.
 */
export function useCarousel(count: number) {
  const section = useRef<HTMLElement>(null)
  const viewport = useRef<HTMLDivElement>(null)
  const library = useRef<EmblaCarouselType | null>(null)
  const [selected, setSelected] = useState(0)
  /** What started by itself waits while the visitor looks closely; what the visitor started does not. */
  const [turning, setTurning] = useState<'no' | 'by itself' | 'as asked'>('no')
  const isPlaying = turning !== 'no'
  const isHeld = useIsHeld(section)

  useEffect(() => {
    let isGone = false
    void import('embla-carousel').then(({ default: createCarousel }) => {
      if (isGone || !viewport.current) return
      viewport.current.scrollLeft = 0
      viewport.current.classList.add('carousel-ready')
      const carousel = createCarousel(viewport.current, { loop: true, align: 'start', duration: 28 })
      carousel.on('select', () => setSelected(carousel.selectedScrollSnap()))
      carousel.on('pointerDown', () => setTurning('no'))
      library.current = carousel
      if (!isCalm()) setTurning('by itself')
    })
    return () => {
      isGone = true
      library.current?.destroy()
      library.current = null
    }
  }, [])

  useEffect(() => {
    if (turning === 'no' || (turning === 'by itself' && isHeld)) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') library.current?.scrollNext(isCalm())
    }, slideTime)
    return () => clearInterval(timer)
  }, [turning, isHeld])

  /** What the visitor chose stays: it no longer turns by itself. */
  const moveTo = (index: number) => {
    const wanted = (index + count) % count
    setTurning('no')
    if (library.current) library.current.scrollTo(wanted, isCalm())
    else viewport.current?.querySelectorAll('figure')[wanted]?.scrollIntoView({ block: 'nearest', inline: 'start' })
  }
  useKeys(section, {
    ArrowLeft: () => moveTo(selected - 1),
    ArrowRight: () => moveTo(selected + 1),
    Home: () => moveTo(0),
    End: () => moveTo(-1),
  })

  return { section, viewport, selected, isPlaying, togglePlay: () => setTurning(isPlaying ? 'no' : 'as asked'), moveTo }
}

/** Who asked for less motion sees the next picture at once. */
const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** True while the pointer or the focus is inside. */
function useIsHeld(section: React.RefObject<HTMLElement | null>) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const element = section.current
    if (!element) return
    const hold = () => setHeld(true)
    const release = () => setHeld(element.matches(':hover') || element.contains(document.activeElement))
    const leave = (event: FocusEvent) => setHeld(element.contains(event.relatedTarget as Node | null))
    element.addEventListener('mouseenter', hold)
    element.addEventListener('mouseleave', release)
    element.addEventListener('focusin', hold)
    element.addEventListener('focusout', leave)
    return () => {
      element.removeEventListener('mouseenter', hold)
      element.removeEventListener('mouseleave', release)
      element.removeEventListener('focusin', hold)
      element.removeEventListener('focusout', leave)
    }
  }, [section])
  return isHeld
}

function useKeys(section: React.RefObject<HTMLElement | null>, actions: Record<string, () => void>) {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const element = section.current
    const handleKey = (event: KeyboardEvent) => {
      const action = latest.current[event.key]
      if (!action || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      action()
    }
    element?.addEventListener('keydown', handleKey)
    return () => element?.removeEventListener('keydown', handleKey)
  }, [section])
}
