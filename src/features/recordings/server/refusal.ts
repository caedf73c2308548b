import type { RefusalReason } from '../values.ts'

/** A file that cannot become a recording, and why. */
export class ImportRefusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(reason)
    this.reason = reason
  }
}
