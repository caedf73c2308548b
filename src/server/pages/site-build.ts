import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import middie from '@fastify/middie'
import fastifyStatic from '@fastify/static'
import type { ServerBuild } from 'react-router'
import { documentHeaders } from '../http/security-headers.ts'
import type { PageContext, Render } from './pages.ts'
import type { App } from '../types.ts'

type EntryModule = { render: (build: ServerBuild, request: Request, context: PageContext) => Promise<Response> }

function rendererOf(build: ServerBuild): Render {
  const entry = build.entry.module as unknown as EntryModule
  return (request, context) => entry.render(build, request, context)
}

const isNoDocument = /^(?!.*worker).*\.(js|css|woff2)(\.br|\.gz)?$/

/** Serves the built site: its files, precompressed, but for those that have a route of their `own`, and what renders its pages. */
export async function serveBuiltSite(app: App, own: readonly string[], folder = join(process.cwd(), 'build/site')) {
  const bundle = join(folder, 'server/index.js')
  if (!existsSync(bundle)) throw new Error('The site is not built: run "npm start", which builds it.')
  const build = (await import(pathToFileURL(bundle).href)) as ServerBuild
  const render = rendererOf(build)
  app.siteBuild.version = build.assets.version
  const served = { index: false as const, preCompressed: true, cacheControl: false }
  await app.register(async (scope) => {
    // The plugin makes its routes itself.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' }
    })
    // One wildcard route: a route for each of the hundreds of files would slow the start.
    await scope.register(fastifyStatic, {
      ...served,
      root: join(folder, 'client/assets'),
      prefix: '/assets/',
      setHeaders(reply, path) {
        void reply.header('cache-control', 'public, max-age=31536000, immutable')
        // Headers for documents and workers, half a kilobyte per file of a first load; a browser never makes these files one.
        if (isNoDocument.test(path)) for (const name of documentHeaders) void reply.removeHeader(name)
      },
    })
    await scope.register(fastifyStatic, {
      ...served,
      root: join(folder, 'client'),
      decorateReply: false,
      wildcard: false,
      globIgnore: ['assets/**', '**/*.{br,gz}', ...own],
      setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=3600'),
    })
  })
  return () => Promise.resolve(render)
}

/** Development: Vite compiles in this process, with hot reload. */
export async function serveDevelopmentSite(app: App) {
  const { createServer } = await import('vite')
  const vite = await createServer({
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: 'custom',
    // Without bundling, because that writes a file that --watch would restart for.
    configLoader: 'native',
  })
  await app.register(middie)
  app.use(vite.middlewares)
  app.addHook('onClose', () => vite.close())
  return async () => rendererOf((await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild)
}
