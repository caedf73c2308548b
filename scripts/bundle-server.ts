import { rmSync } from 'node:fs'
import { rolldown } from 'rolldown'

// Native or WebAssembly packages find their files beside themselves; Vite is there in development only.
const external = [/^@electric-sql\/pglite/, /^@node-rs\/argon2/, /^sharp$/, /^vite$/, /^pg-native$/]

/** One file instead of thousands: the product starts in half the time and a third less memory. */
rmSync('build/server', { recursive: true, force: true })
const bundle = await rolldown({ input: 'src/main.ts', platform: 'node', external, logLevel: 'warn' })
await bundle.write({
  dir: 'build/server',
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  // Some of the bundled packages are CommonJS and ask for Node's own modules.
  banner: `import { createRequire as createNodeRequire } from 'node:module'; const require = createNodeRequire(import.meta.url);`,
})
await bundle.close()
