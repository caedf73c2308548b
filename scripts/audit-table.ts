import type { Figures } from './audit-lighthouse.ts'

export type Row = { path: string; figures: Figures; violations: string[] }

/** docs/quality.md#in-the-browser */
const limits = { performance: 98, others: 100, cls: 0, tbt: 50, script: 115_000, style: 12_000, font: 60_000 }

const columns: [name: string, cell: (row: Row) => string][] = [
  ['page', (row) => row.path],
  ['perf', ({ figures }) => String(figures.scores.performance)],
  ['a11y', ({ figures }) => String(figures.scores.accessibility)],
  ['best', ({ figures }) => String(figures.scores.bestPractices)],
  ['SEO', ({ figures }) => String(figures.scores.seo)],
  ['LCP s', ({ figures }) => (figures.lcp / 1_000).toFixed(2)],
  ['TBT ms', ({ figures }) => figures.tbt.toFixed(0)],
  ['CLS', ({ figures }) => figures.cls.toFixed(3)],
  ['axe', ({ violations }) => String(violations.length)],
  ['JS KB', ({ figures }) => inKilobytes(figures.script)],
  ['CSS KB', ({ figures }) => inKilobytes(figures.style)],
  ['fonts KB', ({ figures }) => inKilobytes(figures.font)],
]

export function tableOf(rows: Row[]) {
  const cells = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const lines = cells.map((line) => `| ${line.map((cell, column) => pad(cell, column, widths)).join(' | ')} |`)
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

/** Prints one page while the others are still being judged. */
export function lineOf(row: Row) {
  return columns.map(([name, cell], index) => (index === 0 ? cell(row) : `${name} ${cell(row)}`)).join('  ')
}

/** What is below the limits, in words; none for a good page. */
export function faultsOf({ figures, violations }: Row) {
  const { performance, accessibility, bestPractices, seo } = figures.scores
  return [
    performance < limits.performance && `performance ${performance}`,
    Math.min(accessibility, bestPractices, seo) < limits.others && `Lighthouse: ${figures.failed.join(', ')}`,
    figures.cls > limits.cls && `CLS ${figures.cls}`,
    figures.tbt > limits.tbt && `TBT ${figures.tbt.toFixed(0)} ms`,
    figures.script > limits.script && `${figures.script} bytes of script`,
    figures.style > limits.style && `${figures.style} bytes of style`,
    figures.font > limits.font && `${figures.font} bytes of fonts`,
    violations.length > 0 && `axe: ${violations.join(', ')}`,
  ].filter((fault) => fault !== false)
}

function pad(cell: string, column: number, widths: number[]) {
  const width = widths[column] ?? 0
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

function inKilobytes(bytes: number) {
  return (bytes / 1_000).toFixed(1)
}
