import type { Map } from 'leaflet'
import { useEffect, useRef, useState } from 'react'
import { company } from '#company/company.ts'
import { MinusIcon, PlusIcon } from '#src/ui/components/icons.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { MapSettings } from '../contract.ts'
import { mapTexts } from '../contact-texts.ts'
import { showMap } from './leaflet-map.ts'
import './tile-map.css'

/**
 * The map one can move, with its own buttons and the words its publisher asks for. What stands under it stays
 * in sight until a first tile has come: tiles that never come leave no grey square.
 */
export function TileMap({ settings: { tilesUrl, zoom, attribution } }: { settings: MapSettings }) {
  const t = useTexts(mapTexts)
  const element = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<Map | null>(null)
  const [isDrawn, setDrawn] = useState(false)

  useEffect(() => {
    if (!tilesUrl || !element.current) return
    const { latitude, longitude } = company.address
    const shown = showMap(element.current, {
      latitude,
      longitude,
      zoom,
      tilesUrl,
      name: company.name,
      onDrawn: () => setDrawn(true),
    })
    setMap(shown)
    return () => {
      shown.remove()
    }
  }, [tilesUrl, zoom])

  const { street, city } = company.address
  return (
    <div className={isDrawn ? '' : 'invisible'}>
      <div
        ref={element}
        className="absolute inset-0 z-0"
        role="region"
        aria-label={t('map', { address: `${street}, ${city}` })}
      />
      <div className="absolute top-4 end-4 z-10 grid gap-2">
        <IconButton label={t('zoomIn')} icon={<PlusIcon />} className="bg-surface shadow-float" onClick={() => map?.zoomIn()} />
        <IconButton
          label={t('zoomOut')}
          icon={<MinusIcon />}
          className="bg-surface shadow-float"
          onClick={() => map?.zoomOut()}
        />
      </div>
      {attribution && (
        <p className="absolute end-0 bottom-0 z-10 rounded-ss-field bg-surface/90 px-2 py-0.5 text-xs">{attribution}</p>
      )}
    </div>
  )
}
