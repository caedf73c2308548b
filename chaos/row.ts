/** A fault that is injected, and a check whether the product withstood it. */
export type Row = {
  name: string
  fault: string
  run: () => Promise<Result>
}

/** `good`: whether the expectations were met; the figures are printed. */
export type Result = { good: boolean; figures: Record<string, number | string> }
