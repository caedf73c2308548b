import { company } from '#company/company.ts'
import { features } from '#src/app/features.ts'
import { applyStoredFacts } from '#src/features/company/server/service.ts'
import type { AdminCommand } from '#src/features/people/users/server/administrator.ts'
import { runAdminCommand } from '#src/features/people/users/server/administrator.ts'
import { areasOf } from '#src/lib/feature.ts'
import { createMailStore } from '#src/server/background/mail.ts'
import type { RunCommand } from '#src/server/command-line/command.ts'
import { ownAddress } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { prepareDatabase } from '#src/server/secrets/bind-secret.ts'

export function runAdmin(command: AdminCommand): RunCommand {
  return async ({ arguments: [name = ''], readConfig }) => {
    const config = readConfig()
    const database = await openDatabase(config).catch((error: unknown) => {
      if (!(error instanceof FolderInUse)) throw error
      throw new LocalizedError({
        fr: `${error.texts.fr}\nLa base intégrée n’a qu’un processus à la fois : arrêtez le produit, lancez la commande, puis redémarrez-le.`,
        en: `${error.texts.en}\nThe embedded database has one process at a time: stop the product, run the command, start it again.`,
      })
    })
    try {
      await prepareDatabase(database.db, config)
      // Mails carry the name and the address that the administration chose.
      await applyStoredFacts(database.db)
      const origin = config.publicUrl ?? ownAddress(config)
      const app = {
        db: database.db,
        areas: areasOf(features),
        mailer: createMailStore(config.mailFrom ?? company.emails.support),
      }
      const text = await runAdminCommand(app, { command, name, origin, password: config.adminPassword })
      const link = /https?:\/\/\S+$/.exec(text.en)?.[0]
      return { text, json: { username: name, action: command, ...(link && { link }) } }
    } finally {
      await database.close()
    }
  }
}
