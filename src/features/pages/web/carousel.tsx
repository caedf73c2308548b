import { defineTexts } from '#src/lib/language/texts.ts'
import './carousel.css'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { ArrowIcon, BackIcon, PauseIcon, PlayIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useHydrated } from '#src/ui/first-load.ts'
import type { Scene } from '../contract.ts'

export const wayOfLifeTexts = defineTexts({
  fr: {
    carousel: 'Notre quotidien en images',
    carouselRole: 'carrousel',
    slideRole: 'image',
    slideOf: '{number} sur {count}',
    previous: 'Image précédente',
    next: 'Image suivante',
    pause: 'Mettre le défilement en pause',
    play: 'Faire défiler les images',
    goTo: 'Aller à l’image {number}',
    pictures: 'Choisir une image',
    team: 'Rencontrer l’équipe',
    careers: 'Voir les postes ouverts',
  },
  en: {
    carousel: 'Our days in pictures',
    carouselRole: 'carousel',
    slideRole: 'picture',
    slideOf: '{number} of {count}',
    previous: 'Previous picture',
    next: 'Next picture',
    pause: 'Pause the slides',
    play: 'Play the slides',
    goTo: 'Go to picture {number}',
    pictures: 'Choose a picture',
    team: 'Meet the team',
    careers: 'See our open positions',
  },
})

const slideTime = 7_000

/** A row with native scrolling and snapping; the script adds buttons, keys and autoplay. */
export function Carousel({ scenes }: { scenes: Scene[] }) {
  const t = useTexts(wayOfLifeTexts)
  const section = useRef<HTMLElement>(null)
  const row = useRef<HTMLDivElement>(null)
  const { selected, moveTo, handleScroll, handleGesture } = useRow(row, scenes.length)
  const { turning, setTurning } = useTurning(section, () => moveTo(selected + 1))
  const isPlaying = turning !== 'no'
  const isReady = useHydrated()

  /** Autoplay stops once the visitor chose a picture. */
  const choose = (index: number) => {
    setTurning('no')
    moveTo(index)
  }
  const handleTouch = () => {
    setTurning('no')
    handleGesture()
  }
  const handleKey = (event: React.KeyboardEvent) => {
    const step = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const choices: Record<string, number> = { ArrowLeft: selected - step, ArrowRight: selected + step, Home: 0, End: -1 }
    const index = choices[event.key]
    if (index === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    choose(index)
  }

  return (
    <section ref={section} aria-roledescription={t('carouselRole')} aria-label={t('carousel')} onKeyDown={handleKey}>
      <div
        ref={row}
        className={`carousel ${isReady ? 'carousel-ready' : ''}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={t('pictures')}
        onScroll={handleScroll}
        onTouchStart={handleTouch}
        onWheel={handleGesture}
      >
        <div className="carousel-row" aria-live={isPlaying ? 'off' : 'polite'}>
          {scenes.map((scene, index) => (
            <Slide key={scene.picture} scene={scene} index={index} count={scenes.length} isSelected={index === selected} />
          ))}
        </div>
      </div>
      <div className="needs-script mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <IconButton
          label={isPlaying ? t('pause') : t('play')}
          icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
          onClick={() => setTurning(isPlaying ? 'no' : 'as asked')}
        />
        <IconButton label={t('previous')} icon={<BackIcon />} onClick={() => choose(selected - 1)} />
        <IconButton label={t('next')} icon={<ArrowIcon />} onClick={() => choose(selected + 1)} />
        <p dir="auto" className="tabular ms-auto sm:order-1 text-sm text-ink-2" aria-hidden="true">
          {t('slideOf', { number: selected + 1, count: scenes.length })}
        </p>
        <ol className="flex flex-wrap">
          {scenes.map((scene, index) => (
            <li key={scene.picture}>
              <button
                type="button"
                className="carousel-dot"
                aria-label={t('goTo', { number: index + 1 })}
                aria-current={index === selected || undefined}
                onClick={() => choose(index)}
              />
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

/** The picture at the start of the row, and a function that scrolls to another one. */
function useRow(row: React.RefObject<HTMLDivElement | null>, count: number) {
  const [selected, setSelected] = useState(0)
  /** Target of a smooth scroll: pictures that it passes are not selected. */
  const goal = useRef<number>(null)
  const offsetOf = (index: number) => {
    const slides = row.current?.querySelectorAll('figure') ?? []
    return (slides[index]?.offsetLeft ?? 0) - (slides[0]?.offsetLeft ?? 0)
  }
  const handleScroll = () => {
    const nearest = Math.round((row.current?.scrollLeft ?? 0) / (offsetOf(1) || 1))
    if (goal.current === nearest) goal.current = null
    else if (goal.current === null) setSelected(nearest)
  }
  const moveTo = (index: number) => {
    const wanted = (index + count) % count
    goal.current = wanted
    setSelected(wanted)
    row.current?.scrollTo({ left: offsetOf(wanted), behavior: isCalm() ? 'instant' : 'smooth' })
  }
  const handleGesture = () => {
    goal.current = null
  }
  // The visitor scrolled before the script loaded, or the browser restored the position.
  const readPosition = useEffectEvent(handleScroll)
  useEffect(() => readPosition(), [])
  return { selected, moveTo, handleScroll, handleGesture }
}

type Turning = 'no' | 'by itself' | 'as asked'

/** Autoplay pauses on hover and focus; a user's choice does not. */
function useTurning(section: React.RefObject<HTMLElement | null>, onTurn: () => void) {
  const [turning, setTurning] = useState<Turning>('no')
  const turn = useEffectEvent(onTurn)
  useEffect(() => {
    if (!isCalm()) setTurning('by itself')
  }, [])
  useEffect(() => {
    if (turning === 'no') return
    const timer = setInterval(() => {
      const isPaused = turning === 'by itself' && section.current?.matches(':hover, :focus-within')
      if (!isPaused && document.visibilityState === 'visible') turn()
    }, slideTime)
    return () => clearInterval(timer)
  }, [turning, section])
  return { turning, setTurning }
}

/** With reduced motion there is no autoplay and no smooth scrolling. */
const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

type SlideProps = { scene: Scene; index: number; count: number; isSelected: boolean }

function Slide({ scene, index, count, isSelected }: SlideProps) {
  const t = useTexts(wayOfLifeTexts)
  const language = useLanguage()
  return (
    <figure
      aria-roledescription={t('slideRole')}
      aria-label={t('slideOf', { number: index + 1, count })}
      aria-current={isSelected || undefined}
      className="carousel-slide"
    >
      <img
        src={pictureAddress(scene.picture)}
        alt={scene.description[language]}
        width="640"
        height="480"
        className="scene"
        loading={index < 2 ? 'eager' : 'lazy'}
        fetchPriority={index === 0 ? 'high' : undefined}
      />
      <figcaption dir="auto" className="mt-4 text-lg font-bold">
        {scene.caption[language]}
      </figcaption>
    </figure>
  )
}

type Addresses = Record<string, string>

const illustrations = import.meta.glob('/src/ui/illustrations/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
}) as Addresses
const photos = import.meta.glob(
  ['/company/photos/*.{avif,webp,jpg,jpeg,png,svg}', '/build/company/photos/*.{avif,webp,jpg,jpeg,png,svg}'],
  {
    eager: true,
    query: '?url',
    import: 'default',
  },
) as Addresses

/** The address of a scene's picture: the company's own photo, or the illustration of that name. */
export function pictureAddress(picture: string) {
  return (
    photos[`/build/company/photos/${picture}`] ??
    photos[`/company/photos/${picture}`] ??
    illustrations[`/src/ui/illustrations/${picture}`] ??
    ''
  )
}
