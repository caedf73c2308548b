import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { applicationFilePieces, applicationFiles, applications } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['applicants'],
    columns: [applications.firstName, applications.lastName, applications.email, applications.phone],
    purpose: 'Know who applies, and reply.',
    seenBy: ['applications'],
  },
  {
    whose: ['applicants'],
    columns: [applications.message, applicationFiles.name, applicationFilePieces.bytes, applications.note],
    purpose: 'Assess the application: the message, the files (résumé, letter) and the internal note.',
    seenBy: ['applications'],
  },
  {
    whose: ['applicants'],
    columns: [applications.source],
    purpose: 'Know which campaign the application came from.',
    seenBy: ['applications'],
  },
  {
    whose: ['applicants'],
    columns: [applications.contentHash],
    purpose: 'Recognize a form that was sent twice.',
    seenBy: [],
    protection: 'hash',
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  { columns: [applications.reference, applications.clientId], reason: 'numbers of an application or of a form' },
  { columns: [applications.jobTitle], reason: 'the title of a posting' },
]
