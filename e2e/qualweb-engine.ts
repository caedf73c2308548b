import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const require = createRequire(import.meta.url)
/** The scripts that QualWeb adds to a page, but for its translations. */
const files = [
  require.resolve('@qualweb/qw-page'),
  require.resolve('@qualweb/util'),
  require.resolve('@qualweb/act-rules'),
  require.resolve('@qualweb/wcag-techniques'),
]
const engine = files.map((file) => readFileSync(file, 'utf8')).join(';\n')

type Result = { verdict: string; description: string; elements: { htmlCode?: string; pointer?: string }[] }
type Assertion = { code: string; metadata: { 'success-criteria': { level: string }[] }; results: Result[] }
type Runner = new (
  options: object,
  language: { translate: string; fallback: string },
) => {
  configure: (options: { exclude: string[] }) => {
    test: (data: { sourceHtml: string }) => { getReport: () => { assertions: Record<string, Assertion> } }
  }
}

/** What fails an ACT rule or a technique of WCAG 2, levels A and AA. The elements have attributes of QualWeb afterwards. */
export async function checkByQualWeb(page: Page) {
  await page.evaluate(engine)
  return page.evaluate(() => {
    type Exception = (element: Element, description: string) => boolean
    // The contents of closed details and dialogs: QualWeb takes them for rendered.
    const isHidden: Exception = (element) => !element.checkVisibility({ visibilityProperty: true })
    // Children of an image are not exposed: its own description stands for the legend that uPlot draws.
    const isInImage: Exception = (element) => element.closest('[role=img]') !== null
    const isAfterLabel: Exception = (element) => {
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
      return label !== undefined && Boolean(label.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
    }
    const exceptions: Record<string, Exception[]> = {
      // Its table of roles lacks `aria-valuenow`, which ARIA requires of a slider.
      'QW-ACT-R25': [(element, text) => element.role === 'slider' && text.includes('`aria-valuenow`')],
      // Looks for a disabled button one level up; the contrast of its text is not prescribed.
      'QW-ACT-R37': [(element) => element.closest(':disabled, [aria-disabled=true]') !== null],
      // A caption is one way to name a table: in a text, the heading above it does.
      'QW-WCAG-T2': [isInImage, (element) => element.closest('.prose') !== null],
      // A fieldset groups its fields by its legend without a form, too.
      'QW-WCAG-T3': [(element) => Boolean(element.querySelector(':scope > legend')?.textContent?.trim())],
      // Compares the number of a field among inputs with that of its label’s parent among its own kind.
      'QW-WCAG-T17': [isAfterLabel],
      // Only finds types that are written out; the choice of colors applies at once and sends nothing.
      'QW-WCAG-T19': [
        (element) => element.querySelector('button') !== null,
        (element) => element.matches('form[method=dialog][role=none]'),
      ],
      // The text is there on narrow screens alone: elsewhere the link is an icon, which the title names.
      'QW-WCAG-T20': [(element) => element.querySelector('.table-words') !== null],
      'QW-WCAG-T25': [isInImage],
      // Reads no styles in layers, where the background is.
      'QW-WCAG-T31': [isInImage],
      'QW-WCAG-T32': [isHidden],
    }
    const exclude = [
      // Enhanced contrast, of level AAA.
      'QW-ACT-R76',
      // Takes the contents of closed details for elements that lose focus; keyboard.spec.ts follows the focus.
      'QW-WCAG-T24',
    ]
    const { ACTRulesRunner, WCAGTechniquesRunner } = globalThis as unknown as Record<string, Runner>
    const sourceHtml = document.documentElement.outerHTML
    const found: string[] = []
    for (const Runner of [ACTRulesRunner, WCAGTechniquesRunner]) {
      if (!Runner) throw new Error('QualWeb did not load')
      const report = new Runner({}, { translate: 'en', fallback: 'en' }).configure({ exclude }).test({ sourceHtml }).getReport()
      for (const { code, metadata, results } of Object.values(report.assertions)) {
        const criteria = metadata['success-criteria']
        if (criteria.length > 0 && criteria.every(({ level }) => level === 'AAA')) continue
        for (const { verdict, description, elements } of results) {
          if (verdict !== 'failed') continue
          const isException = ({ pointer }: Result['elements'][number]) => {
            const element = pointer ? document.querySelector(pointer) : null
            return element !== null && exceptions[code]?.some((matches) => matches(element, description))
          }
          const isExcepted = elements.length > 0 && elements.every(isException)
          if (!isExcepted) found.push(`${code}: ${description} ${elements.map(({ htmlCode }) => htmlCode).join(' ')}`)
        }
      }
    }
    return found
  })
}
