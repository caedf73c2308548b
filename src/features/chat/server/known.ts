import { Conflict, NotFound } from '#src/server/problems.ts'
import { ChatRefusal } from './refusal.ts'

/** A chat's refusals as HTTP knows them. */
export async function known<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChatRefusal) throw error.code === 'closed' ? new Conflict(error.message) : new NotFound(error.message)
    throw error
  }
}
