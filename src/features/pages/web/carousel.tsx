import { ArrowIcon, BackIcon, PauseIcon, PlayIcon } from '#src/ui/icons.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Scene } from '../contract.ts'
import { wayOfLifeTexts } from '../way-of-life-texts.ts'
import { pictureAddress } from './scene-pictures.ts'
import { useCarousel } from './use-carousel.ts'
import './carousel.css'

export function Carousel({ scenes }: { scenes: Scene[] }) {
  const t = useTexts(wayOfLifeTexts)
  const { section, viewport, selected, isPlaying, togglePlay, moveTo } = useCarousel(scenes.length)

  return (
    <section ref={section} dir="ltr" aria-roledescription={t('carouselRole')} aria-label={t('carousel')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div ref={viewport} className="carousel" tabIndex={0} role="group" aria-label={t('pictures')}>
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
          onClick={togglePlay}
        />
        <IconButton label={t('previous')} icon={<BackIcon />} onClick={() => moveTo(selected - 1)} />
        <IconButton label={t('next')} icon={<ArrowIcon />} onClick={() => moveTo(selected + 1)} />
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
                onClick={() => moveTo(index)}
              />
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

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
        draggable={false}
        loading={index < 2 ? 'eager' : 'lazy'}
        fetchPriority={index === 0 ? 'high' : undefined}
      />
      <figcaption dir="auto" className="mt-4 text-lg font-bold">
        {scene.caption[language]}
      </figcaption>
    </figure>
  )
}
