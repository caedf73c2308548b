import type { ComponentType } from 'react'
import { useEffect, useRef, useState } from 'react'
import { company } from '#company/company.ts'
import { ButtonAnchor } from '#src/ui/components/button.tsx'
import { ExternalIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { MapSettings } from '../contract.ts'
import { contactTexts } from '../contact-texts.ts'
import neighbourhood from '#src/ui/illustrations/neighbourhood.svg'
import { PostalAddress } from './postal-address.tsx'

/**
 * Map of the company's location: a drawing with a marker, covered by real tiles once it scrolls into view, where the company
 * configured a tile server.
 */
export function PlaceMap({ settings }: { settings: MapSettings }) {
  const t = useTexts(contactTexts)
  const { place, TileMap } = useTileMap(settings.tilesUrl !== null)
  const { address, name } = company
  return (
    <div className="overflow-hidden rounded-scene border border-line bg-surface">
      <div ref={place} className="relative h-80 md:h-104 print:hidden">
        <img
          src={neighbourhood}
          alt={t('marker', { company: name, address: `${address.street}, ${address.city}` })}
          width="1180"
          height="416"
          loading="lazy"
          className="absolute inset-0 h-full w-full object-cover"
        />
        <p className="absolute end-3 bottom-3 rounded-field bg-surface px-2 text-sm">{t('plan')}</p>
        {TileMap && <TileMap settings={settings} />}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 px-6 py-5">
        <PostalAddress />
        <ButtonAnchor variant="secondary" href={settings.directionsUrl} rel="noopener noreferrer">
          <ExternalIcon size={18} />
          <span>{t('directions')}</span>
        </ButtonAnchor>
      </div>
    </div>
  )
}

function useTileMap(isWanted: boolean) {
  const place = useRef<HTMLDivElement>(null)
  const [loaded, setLoaded] = useState<{ TileMap: ComponentType<{ settings: MapSettings }> } | null>(null)

  useEffect(() => {
    if (!isWanted || !place.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        void import('./tile-map.tsx').then(setLoaded)
      },
      { rootMargin: '200px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isWanted])

  return { place, TileMap: loaded?.TileMap }
}
