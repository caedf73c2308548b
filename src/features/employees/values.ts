/** Departments and sub-departments (spec.md 3): the value that is stored, and its label where it differs. */
export const departments = [
  'ADMINISTRATION',
  'DIRECTEUR',
  'PRÉSIDENCE BZ',
  'PROGRAMMATION',
  'SERVICE À LA CLIENTÈLE',
  'VENTES',
  'TELECOM',
  'TECHNICIENS',
] as const
export type Department = (typeof departments)[number]

/** Tiles of the public team page, in their order (spec.md 3). */
export const teamTiles: { value: Department; label: string }[] = [
  { value: 'ADMINISTRATION', label: 'ADMINISTRATION' },
  { value: 'DIRECTEUR', label: 'DIRECTEUR' },
  { value: 'PROGRAMMATION', label: 'PROGRAMMATION' },
  { value: 'SERVICE À LA CLIENTÈLE', label: 'SERVICE À LA CLIENTÈLE (SAC)' },
  { value: 'TECHNICIENS', label: 'ÉQUIPE TI' },
  { value: 'VENTES', label: 'VENTES' },
  { value: 'TELECOM', label: 'TELECOM' },
]

export function departmentLabel(department: Department) {
  return department === 'TECHNICIENS' ? 'ÉQUIPE TI' : department
}

/** What the file picker offers (spec.md 5); the server looks at the content. */
export const photoTypes = ['jpg', 'jpeg', 'png', 'avif'] as const
export const photoMaxBytes = 8 * 1024 * 1024
