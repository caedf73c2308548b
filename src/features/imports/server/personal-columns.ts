import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { importEntries, importRefusals, imports } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['anybody'],
    columns: [imports.preview],
    purpose: 'Show before an import what would come.',
    seenBy: ['company'],
    ends: 'Removed as soon as the import is done.',
  },
  {
    whose: ['anybody'],
    columns: [importRefusals.at, importRefusals.name, importRefusals.reason],
    purpose: 'Show after an import what was refused.',
    seenBy: ['company'],
  },
  {
    whose: ['anybody'],
    columns: [importEntries.entry, importEntries.digest, importEntries.mark],
    purpose: 'Not import the same entry twice, and be able to undo.',
    seenBy: [],
    protection: 'hash',
  },
  {
    whose: ['staff'],
    columns: [imports.userId, imports.userName, imports.address],
    purpose: 'Know who imported, and enter it in the audit log.',
    seenBy: ['company'],
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  {
    columns: [
      ...[imports.kind, imports.file, imports.path, imports.charset, imports.source, imports.map, imports.choices],
      ...[imports.options, imports.counts, imports.holder, imports.error, importEntries.source, importEntries.writer],
    ],
    reason: 'the file, its columns and how far the import is',
  },
]
