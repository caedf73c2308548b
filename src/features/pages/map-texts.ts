import { defineTexts } from '#src/lib/language/texts.ts'

// A file of its own: the map, and with it these, is loaded later than its page.
export const mapTexts = defineTexts({
  fr: {
    map: 'Carte autour du {address}',
    zoomIn: 'Agrandir la carte',
    zoomOut: 'Réduire la carte',
  },
  en: {
    map: 'Map around {address}',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
  },
})
