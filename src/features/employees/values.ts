import type { Pair } from '#src/lib/language/english-older.ts'

/** Stored values of departments and sub-departments; their labels are in texts.ts. */
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

/** The tile named by the address; null means all. */
export function readTile(value: string | null): TeamTile | null {
  return teamTiles.find((tile) => tile === value) ?? null
}

export const employeePairs = [
  ['titre', 'titre_en'],
  ['description', 'description_en'],
] as const satisfies readonly Pair[]
