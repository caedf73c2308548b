import { z } from 'zod'
import { registerEntryRoutes } from '#src/server/entry-routes.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { note, noteInput } from '../contract.ts'
import { noteEntries, readNotes } from './service.ts'

export const noteRoutes: Routes = async (app) => {
  app.get('/', { schema: { response: { 200: z.array(note) } } }, () => readNotes(app))
  registerEntryRoutes(app, { entries: noteEntries, input: noteInput, output: note, canWrite: needs('notes', 'read_write') })
}
