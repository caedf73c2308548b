import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyReply } from 'fastify'
import type { App } from '../types.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The nonce of this response's Content-Security-Policy. */
    nonce: string
  }
}

/** Headers that a browser reads of a document alone. */
export const documentHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
] as const

/** Search engines find it linked in the footer. */
const forStaff = /^\/(admin|login)(?=[/?]|$)/

/** Headers of every response; pages add their own Content-Security-Policy with a fresh nonce. */
export async function registerSecurityHeaders(app: App) {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    // Headers that only obsolete browsers and plug-ins read, or that are the default.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  app.decorateRequest('nonce', '')
  app.addHook('onRequest', async (request, reply) => {
    request.nonce = randomBytes(16).toString('base64')
    void reply.header(
      'permissions-policy',
      'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    )
    if (!app.config.isIndexed) void reply.header('x-robots-tag', 'noindex, nofollow')
    else if (forStaff.test(request.url)) void reply.header('x-robots-tag', 'noindex')
    if (app.config.hsts) void reply.header('strict-transport-security', app.config.hsts)
    // A response that is no page may load and run nothing, however a browser interprets it.
    void reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
  })
}

type PageSources = {
  images: string[]
  /** The API's own host, which files of the administration come from. */
  api: string[]
  connect: string[]
  frames: string[]
  /** Origins that may embed this page; none where left out. */
  ancestors?: readonly string[]
}

export function setPagePolicy(reply: FastifyReply, nonce: string, development: boolean, sources: PageSources) {
  const { ancestors = [] } = sources
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic' 'self'`,
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    ["img-src 'self' data: blob:", ...sources.api, ...sources.images].join(' '),
    "font-src 'self'",
    ["media-src 'self'", ...sources.api].join(' '),
    ["connect-src 'self'", ...sources.connect].join(' '),
    ...(sources.frames.length > 0 ? [['frame-src', ...sources.frames].join(' ')] : []),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
    ...(development ? [] : ["require-trusted-types-for 'script'", 'trusted-types guichet guichet-worker']),
  ]
  void reply.header('content-security-policy', policy.join('; '))
  if (ancestors.length === 0) return
  // X-Frame-Options takes no list, and an embedded page needs this resource policy.
  void reply.removeHeader('x-frame-options').header('cross-origin-resource-policy', 'cross-origin')
}
