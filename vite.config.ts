import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { sourcemap: false, assetsInlineLimit: 0 },
  // Found late otherwise, and the first chat opened in development would reload the page.
  optimizeDeps: { include: ['socket.io-client'] },
})
