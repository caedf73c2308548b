/** A fault that is injected, and a check whether the product withstood it. */
export type Row = {
  name: string
  fault: string
  run: (options: Options) => Promise<Result>
}

/** `good`: whether the expectations were met; the figures are printed. */
export type Result = { good: boolean; figures: Record<string, number | string> }

/** Of the command, for the rows that last as long as one wants. */
export type Options = { hours: number; matters: number; lanes: number; seed: number }
