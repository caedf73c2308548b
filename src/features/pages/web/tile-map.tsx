import './tile-map.css'
import 'leaflet/dist/leaflet.css'
import type { Map } from 'leaflet'
import { divIcon, map as createMap, marker, tileLayer } from 'leaflet'
import { useEffect, useRef, useState } from 'react'
import { company } from '#company/company.ts'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { MinusIcon, PlusIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { mapTexts } from '../map-texts.ts'
import type { MapSettings } from '../contract.ts'

/**
 * Interactive map with its own buttons and the publisher's attribution. The drawing below stays visible until the first tile
 * has loaded.
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

type Place = {
  latitude: number
  longitude: number
  zoom: number
  tilesUrl: string
  name: string
  /** Called once the first tile has loaded. */
  onDrawn: () => void
}

/**
 * Draws the tiles and the marker. Leaflet's own controls are disabled: it writes them as HTML, which Trusted Types block, and
 * in English only.
 */
function showMap(element: HTMLElement, { latitude, longitude, zoom, tilesUrl, name, onDrawn }: Place) {
  const isTouch = matchMedia('(pointer: coarse)').matches
  const shown = createMap(element, {
    center: [latitude, longitude],
    zoom,
    zoomControl: false,
    attributionControl: false,
    scrollWheelZoom: false,
    // On a phone one finger scrolls the page; two fingers move the map.
    dragging: !isTouch,
    zoomAnimation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  })
  tileLayer(tilesUrl, { maxZoom: 19 }).once('tileload', onDrawn).addTo(shown)
  const icon = divIcon({ html: drawPin(), className: 'map-pin', iconSize: [40, 52], iconAnchor: [20, 50] })
  marker([latitude, longitude], { icon, keyboard: false, interactive: false, alt: name }).addTo(shown)
  return shown
}

function drawPin() {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', '0 0 40 52')
  svg.setAttribute('width', '40')
  svg.setAttribute('height', '52')
  for (const [d, fill] of [
    ['M20 1a18 18 0 0 1 18 18c0 13-18 31-18 31S2 32 2 19A18 18 0 0 1 20 1z', '#1746a2'],
    ['M20 11a8 8 0 1 1 0 16 8 8 0 0 1 0-16z', '#ffb224'],
  ] as const) {
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('d', d)
    path.setAttribute('fill', fill)
    svg.append(path)
  }
  return svg as unknown as HTMLElement
}
