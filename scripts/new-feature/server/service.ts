import { asc } from 'drizzle-orm'
import { defineContent } from '#src/features/content/server/content.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Gadget, GadgetInput } from '../contract.ts'
import { gadgetInput } from '../contract.ts'
import { gadgets as feature } from '../feature.ts'
import { gadgets } from './table.ts'

export const gadgetContent = defineContent<typeof gadgets, Gadget, GadgetInput>({
  entry: feature.entries[0],
  input: gadgetInput,
  idKey: 'id_gadget',
  nameOf: (gadget) => gadget.name,
  table: gadgets,
  orderBy: [asc(gadgets.name), asc(gadgets.id)],
  pairs: [
    ['name', 'name_en'],
    ['description', 'description_en'],
  ],
  toEntity: (row) => ({
    id_gadget: row.id,
    name: row.name,
    name_en: row.nameEn,
    description: row.description,
    description_en: row.descriptionEn,
    created_at: row.createdAt.toISOString(),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({
    name: input.name,
    nameEn: input.name_en,
    description: input.description,
    descriptionEn: input.description_en,
  }),
})

export const readGadgets = ({ content, db }: Reader) => content.read('gadgets', 'all', () => gadgetContent.findAll(db))
