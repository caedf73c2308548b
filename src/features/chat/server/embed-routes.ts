import { brotliCompressSync, constants } from 'node:zlib'
import { company } from '#company/company.ts'
import { languages } from '#src/lib/language/language.ts'
import { translator, defineTexts } from '#src/lib/language/texts.ts'
import type { App, Routes } from '#src/server/types.ts'
import { openStorage } from '#src/ui/storage.ts'
import { embedStyle, runEmbed } from '../widget/embed-script.ts'
import { chatFramePath } from '../keys.ts'
import { listElement } from './transcript.ts'
import { runServiceWorker } from '../console/service-worker.ts'
import { findChatSettings } from './settings.ts'

/** The launcher's texts on another site; they are part of the script, so they are short. */
export const embedTexts = defineTexts({
  fr: {
    chat: 'Clavarder',
    title: 'Clavardage de {company}',
    unread: 'nouveaux messages : ',
    failed: 'Une erreur est survenue avec le clavardage.',
  },
  en: {
    chat: 'Chat',
    title: '{company} live chat',
    unread: 'new messages: ',
    failed: 'An error occurred with the chat.',
  },
})

const hour = 'public, max-age=3600'

/** `/webchat`: the script that embeds the launcher in other sites, and the markup of a message. */
export const chatEmbedRoutes: Routes = async (app) => {
  app.realtime.allowOrigins(() => findChatOrigins(app))
  let built = buildEmbed()
  app.events.onChanged((area) => {
    if (area === 'company') built = buildEmbed()
  })

  app.get('/embed.js', { config: { access: 'public' }, schema: { hide: true } }, (request, reply) => {
    const takesBrotli = /\bbr\b/.test(String(request.headers['accept-encoding']))
    if (takesBrotli) void reply.header('content-encoding', 'br')
    return reply
      .type('text/javascript; charset=utf-8')
      .headers({ 'cache-control': hour, vary: 'accept-encoding', 'cross-origin-resource-policy': 'cross-origin' })
      .send(takesBrotli ? built.compressed : built.script)
  })
  app.get('/html/list-element.html', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': hour, 'cross-origin-resource-policy': 'cross-origin' })
      .send(listElement),
  )
}

/** The service worker of the administration, which receives calls for technicians. */
export const serviceWorkerRoutes: Routes = async (app) => {
  const script = `(${runServiceWorker.toString().replaceAll(/\n\s+/g, '\n')})("/api/chat/push/answered","/admin/chat")\n`
  app.get('/service-worker.js', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .headers({
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
      })
      .send(script),
  )
}

/** Origins that may call the chat: the sites of the settings, and the site whose chat has its own host. */
export async function findChatOrigins({ config, db }: App) {
  const { embed_origins } = await findChatSettings(db)
  return config.chatUrl && config.publicUrl ? [...embed_origins, config.publicUrl] : embed_origins
}

function buildEmbed() {
  const script = embedScript()
  return { script, compressed: brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }) }
}

function embedScript() {
  const texts = Object.fromEntries(
    languages.map((language) => {
      const t = translator(embedTexts, language)
      return [
        language,
        { chat: t('chat'), title: t('title', { company: company.name }), unread: t('unread'), failed: t('failed') },
      ]
    }),
  )
  const parameters = [texts, chatFramePath, embedStyle].map((value) => JSON.stringify(value)).join()
  const [run, open] = [runEmbed, openStorage].map((one) => one.toString().replaceAll(/\n\s+/g, '\n'))
  return `(${run})(${parameters},(${open})("sessionStorage"))\n`
}
