import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'

// Few files compress better than many (6 KB on a first load), and no public page goes without any of these two.
// The router goes with the shell: in one file with React it would hold a telephone up twice as long in one go.
const shell = {
  name: 'shell',
  test: new RegExp(
    [
      String.raw`node_modules/react-router/`,
      String.raw`src/(root|app/(language-switch|late-navigation)|lib/(language|texts|calendar-words))\.`,
      String.raw`src/ui/(api|button|first-load|icons|language|loading|spinner|status-icon|texts|trusted-html|when-idle|rich-text|badge|disclosure|logo)\.`,
      String.raw`src/app/public-shell/(site-|network-link|outside-links|theme-choice|use-menus|public-layout)`,
      String.raw`src/features/pages/(values|web/text-loader)\.`,
      String.raw`src/ui/live/use-live\.`,
      String.raw`src/ui/page/(site-texts|load-whole|page-meta|preferences|not-found-view|error-view|page-errors|breadcrumbs|json-ld|use-origin|page-head)\.`,
      String.raw`src/ui/page/navigation-texts`,
      String.raw`company/company\.ts`,
      // One style sheet for every public page: a second one is another connection before anything is painted.
      String.raw`src/ui/photo\.css`,
      String.raw`src/features/(employees/web/employees|networks/web/networks|pages/web/(pages|carousel))\.css`,
    ].join('|'),
  ),
}
// What the chat has in common with the forms: it must not load the rest of them.
const fields = { name: 'fields', test: /src\/ui\/(field|form-draft)\./ }
// The same for the two forms.
const forms = {
  name: 'forms',
  test: new RegExp(
    [
      String.raw`src/ui/use-form\.`,
      String.raw`src/features/requests/(form-texts|form-values|web/(use-request-form|request-form-frame|counted-text-area|robot-traps))\.`,
    ].join('|'),
  ),
}
const vendor = { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }

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
  plugins: [tailwindcss(), reactRouter(), leafletUnderTrustedTypes, missingFilesAreErrors, unmeasuredRouter],
  resolve: { alias: [{ find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' }] },
  build: { sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: [vendor, shell, fields, forms] } } } } },
  },
  // Found late otherwise, and the first chat (or picture, or map) opened in development would reload the page.
  optimizeDeps: { include: ['socket.io-client', 'embla-carousel', 'leaflet'] },
})
