import { join } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'
import config from './react-router.config.ts'
import { publicChunks } from './scripts/public-chunks.ts'
import routes from './src/routes.ts'

const chunks = publicChunks(config.appDirectory, routes)

/** Patches a line of a library at build time; the build fails where that line is missing. */
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
  // Leaflet detects SVG by writing HTML, which Trusted Types block: it would not load. It has no option for it.
  patch('leaflet-svg', 'leaflet-src.esm.js', "div.innerHTML = '<svg/>'", "div.appendChild(svgCreate('svg'))"),
  // After a release the router reloads the old page where a file is missing, and Vite's `vite:preloadError` does not cover the
  // router's own import(). Rejected, it reaches navigation-recovery.tsx, which loads the requested page.
  patch('missing-files', 'dom/ssr/routeModules.js', 'window.location.reload();', 'Promise.reject(error);'),
  // Instrumentation is unused: 959 bytes of brotli per first load, without which two pages would exceed 115 KB.
  patch('router-instrumentation', 'production/lib/router/router.js', 'init.instrumentations', 'undefined'),
  // No link prefetches its page before it is used (components/link.tsx): 240 bytes of brotli per first load.
  patch('no-prefetch', 'dom/lib.js', 'usePrefetchBehavior(prefetch, rest)', '[false, null, {}]'),
  patch('no-prefetched-pages', 'dom/lib.js', 'shouldPrefetch && !isAbsolute', 'false'),
  // A script that addresses developers on the router's own page for errors, which the Content-Security-Policy blocks.
  patch(
    'no-developer-script',
    'dom/ssr/errorBoundaries.js',
    '}, errorInstance.stack), heyDeveloper)',
    '}, errorInstance.stack))',
  ),
  // No navigation has a view transition: 300 bytes of brotli per first load.
  ...[
    ['!viewTransitionOpts || !isViewTransitionAvailable', 'true'],
    ['vtContext.isTransitioning && !vtContext.flushSync', 'false'],
    ['renderDfd && pendingState && router.window', 'false'],
    ['renderDfd && pendingState && state.location.key === pendingState.location.key', 'false'],
    ['!vtContext.isTransitioning && interruption', 'false'],
  ].map(([from = '', to = '']) => patch(`no-view-transitions ${from}`, 'production/lib/components.js', from, to)),
  // The site is rendered by the server, with no integrity values in its manifest.
  patch('no-single-page', 'dom-export/hydrated-router.js', 'ssrInfo.context.isSpaMode', 'false'),
  patch('no-integrity', 'dom-export/hydrated-router.js', 'window.__reactRouterManifest.sri === true', 'false'),
  // The scripts that start a page are written by the server alone: 400 bytes of brotli per first load.
  patch('no-start-script', 'dom/ssr/components.js', '!isStatic ? " "', 'true ? " "'),
  patch('no-context-script', 'dom/ssr/components.js', 'staticContext ? `', 'false ? `'),
  // Modules are replaced while a page runs in development only.
  patch(
    'no-module-replacement',
    'dom-export/hydrated-router.js',
    'router.createRoutesForHMR = UNSAFE_createClientRoutesWithHMRRevalidationOptOut;',
    '',
  ),
  // The chat has WebSocket and long polling; WebTransport would add 760 bytes of brotli to the opened chat.
  patch('no-web-transport', 'engine.io-client/build/esm/transports/index.js', 'webtransport: WT,', ''),
  // Its messages are JSON and its files go by HTTP; what takes binary parts out of a message would add 255 bytes of brotli.
  patch('no-binary-parts', 'socket.io-parser/build/esm/index.js', 'if (hasBinary(obj))', 'if (false)'),
  patch('no-parts', 'socket.io-parser/build/esm/index.js', '= deconstructPacket(obj)', '= { packet: obj, buffers: [] }'),
]

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), ...patches, chunks.plugin],
  resolve: {
    alias: [
      { find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' },
      // With the files that the company keeps of its own (scripts/copy-company.ts).
      ...(command === 'build' ? [{ find: /^#company\//, replacement: `${join(import.meta.dirname, 'build/company')}/` }] : []),
    ],
  },
  build: { sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks.groups } } } } },
  },
  // Otherwise discovered late, so that the first chat, picture or map in development would reload the page.
  optimizeDeps: { include: ['socket.io-client', 'leaflet'] },
}))
