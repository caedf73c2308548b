import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site on another origin, with a strict policy and the one line that embeds our launcher. */
export async function startOtherSite(product: string, host: 'localhost' | '127.0.0.1') {
  const policy = `default-src 'none'; script-src ${product}; frame-src ${product}; require-trusted-types-for 'script'`
  const page = (title: string) => `<!doctype html>
<html lang="fr">
<head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head>
<body><main><h1>${title}</h1><p><a href="/suite">Suite</a></p></main>
<script src="${product}/webchat/embed.js" async></script></body>
</html>`
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', `${policy}; img-src data:`)
    response.end(page(request.url === '/suite' ? 'Autre page' : 'Autre site'))
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    // The product is at 127.0.0.1: for a browser `localhost` is another site, whose frames get no storage.
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
