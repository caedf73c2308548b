import type { Command } from '#src/server/command-line/command.ts'
import { defineCommand } from '#src/server/command-line/command.ts'

const load = () => import('./server/redirects-command.ts')
const old = {
  name: 'from',
  summary: { fr: 'ancienne adresse, comme /contact.html ou /blogue/*', en: 'old address, such as /contact.html or /blog/*' },
}

export const redirectCommands: readonly Command[] = [
  defineCommand({
    name: 'redirects list',
    summary: { fr: 'Lister les redirections, les brisées d’abord', en: 'List the redirects, broken ones first' },
    arguments: [{ name: 'search', isOptional: true, summary: { fr: 'partie d’une adresse', en: 'part of an address' } }],
    examples: ['redirects list', 'redirects list /blogue'],
    load: async () => ({ run: (await load()).runList }),
  }),
  defineCommand({
    name: 'redirects add',
    summary: { fr: 'Ajouter une redirection', en: 'Add a redirect' },
    details: {
      fr: 'Une adresse qui ne mène plus à rien s’ajoute avec --gone, sans destination.',
      en: 'An address that leads nowhere any more is added with --gone, without a destination.',
    },
    arguments: [
      old,
      {
        name: 'to',
        isOptional: true,
        summary: { fr: 'page de ce site, ou adresse https', en: 'page of this site, or https address' },
      },
    ],
    options: [
      { flags: '--temporary', summary: { fr: 'Pour un temps seulement (302)', en: 'For a while only (302)' } },
      {
        flags: '--gone',
        summary: { fr: 'Répondre que la page n’existe plus (410)', en: 'Answer that the page is gone (410)' },
      },
    ],
    examples: ['redirects add /nos-services.html /services', 'redirects add /promo-2019 --gone'],
    load: async () => ({ run: (await load()).runAdd }),
  }),
  defineCommand({
    name: 'redirects test',
    summary: { fr: 'Montrer où une adresse mène', en: 'Show where an address leads' },
    arguments: [{ name: 'address', summary: { fr: 'adresse à essayer', en: 'address to try' } }],
    examples: ['redirects test /nos-services.html'],
    load: async () => ({ run: (await load()).runTest }),
  }),
]
