import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'
import config from './react-router.config.ts'
import { publicChunks } from './scripts/public-chunks.ts'
import routes from './src/routes.ts'

const chunks = publicChunks(config.appDirectory, routes)

/** Changes a line of a library as it is built; the build fails where the library no longer has that line. */
function patch(name: string, file: string, from: string, to: string): Plugin {
  let isApplied = false
  return {
    name,
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform(code, id) {
      if (!id.endsWith(file) || !code.includes(from)) return
      isApplied = true
      return code.replaceAll(from, to)
    },
    buildEnd(error) {
      if (!error && !isApplied) this.error(`${file} has changed: look again at "${from}".`)
    },
  }
}

const patches = [
  // Leaflet looks for SVG by writing HTML text, which Trusted Types refuse: it would not even load. It has no setting for it.
  patch('leaflet-svg', 'leaflet-src.esm.js', "div.innerHTML = '<svg/>'", "div.appendChild(svgCreate('svg'))"),
  // The router reloads the old page where a file of the next one is missing, and Vite's `vite:preloadError` does not cover the
  // router's own import(). As an unhandled rejection it reaches navigation-recovery.tsx, which loads the page that was asked for.
  patch('missing-files', 'dom/ssr/routeModules.js', 'window.location.reload();', 'Promise.reject(error);'),
  // Nothing instruments the router here: 959 bytes of brotli a first load, without which two pages pass their 115 KB.
  patch('router-instrumentation', 'production/lib/router/router.js', 'init.instrumentations', 'undefined'),
]

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), ...patches, chunks.plugin],
  resolve: { alias: [{ find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' }] },
  build: { sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks.groups } } } } },
  },
  // Found late otherwise, and the first chat (or picture, or map) opened in development would reload the page.
  optimizeDeps: { include: ['socket.io-client', 'leaflet'] },
})
