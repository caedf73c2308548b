import type { EmblaCarouselType } from 'embla-carousel'
import { useCallback, useEffect, useRef, useState } from 'react'

const slideTime = 7_000

/**
 * Moves a scrollable row of pictures. The row works by itself; the library that makes it turn in a circle comes
 * with the first turn or the first gesture, and nothing turns for who asked for less motion or while the visitor looks closely.
 */
export function useCarousel(count: number) {
  const section = useRef<HTMLElement>(null)
  const viewport = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState(0)
  /** What started by itself waits while the visitor looks closely; what the visitor started does not. */
  const [turning, setTurning] = useState<'no' | 'by itself' | 'as asked'>('no')
  const isPlaying = turning !== 'no'
  const isHeld = useIsHeld(section)
  const stop = useCallback(() => setTurning('no'), [])
  const turn = useTurner(viewport, setSelected, stop)

  useEffect(() => {
    if (!isCalm()) setTurning('by itself')
  }, [])

  useEffect(() => {
    if (isHeld) void turn()
  }, [isHeld, turn])

  useEffect(() => {
    if (turning === 'no' || (turning === 'by itself' && isHeld)) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void turn((carousel) => carousel.scrollNext(isCalm()))
    }, slideTime)
    return () => clearInterval(timer)
  }, [turning, isHeld, turn])

  /** What the visitor chose stays: it no longer turns by itself. */
  const moveTo = (index: number) => {
    stop()
    const wanted = (index + count) % count
    void turn((carousel) => carousel.scrollTo(wanted, isCalm())).then((isTurned) => {
      if (!isTurned) viewport.current?.querySelectorAll('figure')[wanted]?.scrollIntoView({ block: 'nearest', inline: 'start' })
    })
  }
  useKeys(section, {
    ArrowLeft: () => moveTo(selected - 1),
    ArrowRight: () => moveTo(selected + 1),
    Home: () => moveTo(0),
    End: () => moveTo(-1),
  })

  return { section, viewport, selected, isPlaying, togglePlay: () => setTurning(isPlaying ? 'no' : 'as asked'), moveTo }
}

/**
 * Answers what runs a move once the library is there, which the first call fetches, and tells whether it did. Until
 * then the row is scrolled as it is, and who swipes it finds it turning in a circle from where it came to rest.
 */
function useTurner(viewport: React.RefObject<HTMLDivElement | null>, onSelect: (index: number) => void, onSwipe: () => void) {
  const library = useRef<Promise<EmblaCarouselType | null>>(null)

  const turn = useCallback(
    async (move?: (carousel: EmblaCarouselType) => void) => {
      library.current ??= createIn(viewport, onSelect, onSwipe)
      try {
        const carousel = await library.current
        if (carousel) move?.(carousel)
        return true
      } catch (error) {
        library.current = null
        console.error(error)
        return false
      }
    },
    [viewport, onSelect, onSwipe],
  )

  useEffect(() => {
    const row = viewport.current
    const rest = () => void turn()
    row?.addEventListener('touchstart', onSwipe, { once: true, passive: true })
    row?.addEventListener('scrollend', rest, { once: true })
    // It was swiped before this script came, or the browser put it back where it was.
    if (row && row.scrollLeft > 0) rest()
    return () => {
      row?.removeEventListener('touchstart', onSwipe)
      row?.removeEventListener('scrollend', rest)
      void library.current?.then((carousel) => carousel?.destroy()).catch(console.error)
      library.current = null
    }
  }, [viewport, turn, onSwipe])
  return turn
}

async function createIn(
  viewport: React.RefObject<HTMLDivElement | null>,
  onSelect: (index: number) => void,
  onSwipe: () => void,
) {
  const { default: createCarousel } = await import('embla-carousel')
  const row = viewport.current
  if (!row) return null
  const startIndex = Math.round(row.scrollLeft / (row.querySelector('figure')?.offsetWidth ?? row.offsetWidth))
  row.scrollLeft = 0
  row.classList.add('carousel-ready')
  const carousel = createCarousel(row, { loop: true, align: 'start', duration: 28, startIndex })
  carousel.on('select', () => onSelect(carousel.selectedScrollSnap()))
  carousel.on('pointerDown', onSwipe)
  onSelect(startIndex)
  return carousel
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
