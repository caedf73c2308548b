import { useEffect, useRef, useState } from 'react'
import { company } from '#company/company.ts'
import { ButtonAnchor } from '#src/ui/button.tsx'
import { ExternalIcon, MinusIcon, PlusIcon } from '#src/ui/icons.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { MapSettings } from '../../contract.ts'
import { contactTexts } from '../../contact-texts.ts'
import type { ShownMap } from './leaflet-map.ts'
import { MapSketch } from './map-sketch.tsx'
import { PostalAddress } from './postal-address.tsx'
import './place-map.css'

/**
 * Where the company is. A drawn neighbourhood with its marker is always there; real tiles cover it once the
 * place comes into view, where the company configured some.
 */
export function PlaceMap({ settings }: { settings: MapSettings }) {
  const t = useTexts(contactTexts)
  const { element, shown } = useMap(settings)
  const { address, name } = company
  const line = `${address.street}, ${address.city}`
  return (
    <div className="overflow-hidden rounded-scene border border-line bg-surface">
      <div className="relative h-80 md:h-104 print:hidden">
        <MapSketch label={t('marker', { company: name, address: line })} />
        <div
          ref={element}
          className="absolute inset-0 z-0"
          role={shown ? 'region' : undefined}
          aria-label={shown ? t('map', { address: line }) : undefined}
        />
        {shown && (
          <div className="absolute top-4 right-4 z-10 grid gap-2">
            <IconButton label={t('zoomIn')} icon={<PlusIcon />} className="bg-surface shadow-float" onClick={shown.zoomIn} />
            <IconButton label={t('zoomOut')} icon={<MinusIcon />} className="bg-surface shadow-float" onClick={shown.zoomOut} />
          </div>
        )}
        {shown && settings.attribution && (
          <p className="absolute right-0 bottom-0 z-10 rounded-tl-field bg-surface/90 px-2 py-0.5 text-xs">
            {settings.attribution}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 px-6 py-5">
        <PostalAddress />
        <ButtonAnchor variant="secondary" href={settings.directionsUrl} rel="noopener noreferrer">
          <ExternalIcon size={18} />
          {t('directions')}
        </ButtonAnchor>
      </div>
    </div>
  )
}

/** Loads the map when it comes near the visitor's eyes, and never without tiles to show. */
function useMap({ tilesUrl, zoom }: MapSettings) {
  const element = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<ShownMap | null>(null)

  useEffect(() => {
    const target = element.current
    if (!tilesUrl || !target) return
    let map: ShownMap | null = null
    let isGone = false
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        void import('./leaflet-map.ts').then(({ showMap }) => {
          if (isGone) return
          const { latitude, longitude } = company.address
          map = showMap(target, { latitude, longitude, zoom, tilesUrl, name: company.name })
          setShown(map)
        })
      },
      { rootMargin: '200px' },
    )
    observer.observe(target)
    return () => {
      isGone = true
      observer.disconnect()
      map?.remove()
      setShown(null)
    }
  }, [tilesUrl, zoom])

  return { element, shown }
}
