import { divIcon, map as createMap, marker, tileLayer } from 'leaflet'
import 'leaflet/dist/leaflet.css'

type Place = {
  latitude: number
  longitude: number
  zoom: number
  tilesUrl: string
  name: string
  /** Called once there is a first tile to see. */
  onDrawn: () => void
}

/**
 * Draws the tiles and the marker. Leaflet's own buttons and words are left out: it writes them as HTML text,
 * which Trusted Types refuse, and ours speak both languages.
 */
export function showMap(element: HTMLElement, { latitude, longitude, zoom, tilesUrl, name, onDrawn }: Place) {
  const isTouch = matchMedia('(pointer: coarse)').matches
  const shown = createMap(element, {
    center: [latitude, longitude],
    zoom,
    zoomControl: false,
    attributionControl: false,
    scrollWheelZoom: false,
    // On a phone one finger must go on scrolling the page; two fingers move the map.
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
