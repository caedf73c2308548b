import { Readable } from 'node:stream'
import { serverFeature } from '#src/features/content/server/feature.ts'
import type { Routes } from '#src/server/types.ts'
import { healthQuery, systemHealth } from '../contract.ts'
import { health } from '../feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import { findRewritingHealth } from './rewriting.ts'
import { findBackups, findChecks, findDisk, findFailedJobs, findHealth } from './service.ts'

const checksPerUser = { points: 20, seconds: 300 }

/** `/api/etat`: the health of the system, for its administrators. */
const healthRoutes: Routes = async (app) => {
  app.metrics.gauge('guichet_last_backup_timestamp_seconds', 'When the last backup was made, in seconds since 1970', async () => {
    const { last } = await findBackups(app.config, Date.now())
    return last && Date.parse(last.made_at) / 1_000
  })
  app.metrics.gauge('guichet_disk_free_bytes', 'Free space of the data folder', async () => (await findDisk(app.config)).free)
  app.get(
    '/',
    {
      config: { access: 'updates read_only' },
      schema: { querystring: healthQuery, response: { 200: systemHealth } },
    },
    (request) => findHealth(app, request.query.range),
  )
  app.get('/checks', { config: { access: 'updates read_only' } }, async (request, reply) => {
    await app.limits.take('health-checks', String(request.actor.userId), checksPerUser)
    return reply
      .type('application/x-ndjson')
      .header('cache-control', 'no-store')
      .send(Readable.from(findChecks(app)))
  })
}

export const healthServer = serverFeature(health, {
  api: { '/api/etat': healthRoutes },
  findHealth: async (app) => [await findFailedJobs(app), findRewritingHealth(app)],
  async findSetup({ mailer, config }, { rights }) {
    if (!hasRight(rights, 'updates', 'administrator')) return []
    return [
      {
        name: 'mail',
        short: { fr: 'Courriel', en: 'Mail' },
        label: { fr: 'Serveur de courriel', en: 'Mail server' },
        hint: {
          fr: 'Aucun courriel n’est envoyé : ni invitation, ni réponse, ni avis.',
          en: 'No email is sent: no invitation, no reply, no notice.',
        },
        path: '/admin/etat',
        is_done: mailer.canSend,
      },
      {
        name: 'backup',
        short: { fr: 'Copie', en: 'Backup' },
        label: { fr: 'Copie de sécurité', en: 'Backup' },
        hint: {
          fr: 'Aucune copie n’existe encore. La première est faite la nuit prochaine.',
          en: 'There is no backup yet. The first one is made tonight.',
        },
        path: '/admin/etat',
        is_done: (await findBackups(config, Date.now())).count > 0,
      },
    ]
  },
})
