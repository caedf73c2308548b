import type { Pair } from '#src/lib/language/english-older.ts'

/** Departments and sub-departments: the values that are stored; texts.ts has their labels. */
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

/** Tiles of the public team page, in their order. */
export const teamTiles = [
  'ADMINISTRATION',
  'DIRECTEUR',
  'PROGRAMMATION',
  'SERVICE À LA CLIENTÈLE',
  'TECHNICIENS',
  'VENTES',
  'TELECOM',
] as const satisfies readonly Department[]
export type TeamTile = (typeof teamTiles)[number]

/** The tile an address asks for; null stands for all of them. */
export function readTile(value: string | null): TeamTile | null {
  return teamTiles.find((tile) => tile === value) ?? null
}

export const employeePairs = [
  ['titre', 'titre_en'],
  ['description', 'description_en'],
] as const satisfies readonly Pair[]
