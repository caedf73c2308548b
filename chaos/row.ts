/** One row of the table of faults (docs/quality): what is done to the product, and what must be seen. */
export type Row = {
  name: string
  fault: string
  run: () => Promise<Result>
}

/** `good` says whether what must be shown was shown; the figures are printed as they are. */
export type Result = { good: boolean; figures: Record<string, number | string> }
