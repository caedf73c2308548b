import { z } from 'zod'
import type { Routes } from '#src/server/types.ts'
import { note } from '../contract.ts'
import { findAllNotes } from './service.ts'

export const noteRoutes: Routes = async (app) => {
  app.get('/', { schema: { response: { 200: z.array(note) } } }, () => findAllNotes(app.db))
}
