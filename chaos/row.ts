/** One row of the table of faults: what is done to the product, and whether it withstood it. */
export type Row = {
  name: string
  fault: string
  run: () => Promise<Result>
}

/** `good` says whether what must be shown was shown; the figures are printed as they are. */
export type Result = { good: boolean; figures: Record<string, number | string> }
