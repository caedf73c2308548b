import type { Area, Rights } from '#src/features/groups/values.ts'
import type { adminTexts } from '../admin-texts.ts'

type Key = keyof (typeof adminTexts)['fr']
export type AdminLink = { to: string; label: Key; area: Area }
export type AdminSection = { label: Key | null; links: AdminLink[] }

const sections: AdminSection[] = [
  {
    label: null,
    links: [
      { to: '/admin/chat', label: 'chat', area: 'chat' },
      { to: '/admin/demandes', label: 'requests', area: 'requests' },
    ],
  },
  {
    label: 'site',
    links: [{ to: '/admin/reseau', label: 'networks', area: 'networks' }],
  },
]

/** What a person may open, without the sections that would be empty. */
export function menuFor(rights: Rights): AdminSection[] {
  return sections
    .map((section) => ({ ...section, links: section.links.filter((link) => (rights[link.area] ?? 'none') !== 'none') }))
    .filter((section) => section.links.length > 0)
}
