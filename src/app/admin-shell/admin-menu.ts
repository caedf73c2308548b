import type { Area, Level, Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { adminTexts } from './admin-texts.ts'

type Key = keyof (typeof adminTexts)['fr']
/** `or`: another area that the page is for too; `level`: what it takes, where seeing is not enough. */
export type AdminLink = { to: string; label: Key; area: Area; or?: Area; level?: Level }
export type AdminSection = { label: Key | null; links: AdminLink[] }

const sections: AdminSection[] = [
  {
    label: null,
    links: [
      { to: '/admin/chat', label: 'chat', area: 'chat' },
      { to: '/admin/chat/figures', label: 'chatFigures', area: 'chat', level: 'administrator' },
      { to: '/admin/chat/settings', label: 'chatSettings', area: 'chat', level: 'administrator' },
      { to: '/admin/demandes', label: 'requests', area: 'requests' },
    ],
  },
  {
    label: 'site',
    links: [
      { to: '/admin/equipe', label: 'employees', area: 'employees' },
      { to: '/admin/emplois', label: 'jobs', area: 'jobs' },
      { to: '/admin/reseau', label: 'networks', area: 'networks' },
      { to: '/admin/notes', label: 'notes', area: 'notes', or: 'home' },
    ],
  },
  {
    label: 'telecom',
    links: [{ to: '/admin/recordings', label: 'recordings', area: 'recordings' }],
  },
  {
    label: 'system',
    links: [
      { to: '/admin/users', label: 'users', area: 'users' },
      { to: '/admin/groups', label: 'groups', area: 'groups' },
      { to: '/admin/parameters/updater', label: 'updates', area: 'updates' },
      { to: '/admin/etat', label: 'state', area: 'updates' },
      { to: '/admin/journal', label: 'journal', area: 'audit' },
      { to: '/admin/privacy', label: 'privacy', area: 'audit', level: 'administrator' },
    ],
  },
]

/** What a person may open, without the sections that would be empty. */
export function menuFor(rights: Rights): AdminSection[] {
  return sections
    .map((section) => ({
      ...section,
      links: section.links.filter(
        ({ area, or, level = 'read_only' }) => hasRight(rights, area, level) || (or && hasRight(rights, or, level)),
      ),
    }))
    .filter((section) => section.links.length > 0)
}
