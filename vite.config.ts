import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'
import config from './react-router.config.ts'
import { publicChunks } from './scripts/public-chunks.ts'
import routes from './src/routes.ts'

const chunks = publicChunks(config.appDirectory, routes)

// Leaflet asks the browser about SVG by writing HTML text, which Trusted Types refuse: it would not even load.
const leafletUnderTrustedTypes = {
  name: 'leaflet-under-trusted-types',
  transform(code: string, id: string) {
    if (!id.endsWith('leaflet-src.esm.js')) return
    const mended = code.replace("div.innerHTML = '<svg/>'", "div.appendChild(svgCreate('svg'))")
    if (mended === code) throw new Error('Leaflet has changed: look again at how it asks about SVG.')
    return mended
  },
}

// The router answers a missing file of a page with a reload of the one before it, without a word. As an error that nobody
// handles it reaches late-navigation.tsx, which loads the page that was asked for.
const missingFilesAreErrors = {
  name: 'missing-files-are-errors',
  transform(code: string, id: string) {
    if (!id.endsWith('dom/ssr/routeModules.js')) return
    const mended = code.replace('window.location.reload();', 'Promise.reject(error);')
    if (mended === code) throw new Error('React Router has changed: look again at how it reloads for a missing file.')
    return mended
  },
}

// Nobody measures the router here: without what it would be measured by, each first load is 1 KB lighter.
const unmeasuredRouter: Plugin = {
  name: 'unmeasured-router',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!id.endsWith('production/lib/router/router.js')) return
    const mended = code.replaceAll('init.instrumentations', 'undefined')
    if (mended === code) throw new Error('React Router has changed: look again at how it is measured.')
    return mended
  },
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), leafletUnderTrustedTypes, missingFilesAreErrors, unmeasuredRouter, chunks.plugin],
  resolve: { alias: [{ find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' }] },
  build: { sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks.groups } } } } },
  },
  // Found late otherwise, and the first chat (or picture, or map) opened in development would reload the page.
  optimizeDeps: { include: ['socket.io-client', 'leaflet'] },
})
