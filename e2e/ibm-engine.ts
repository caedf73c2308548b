import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const engine = readFileSync(createRequire(import.meta.url).resolve('accessibility-checker-engine'), 'utf8')

type Result = { ruleId: string; message: string; snippet: string; value: [kind: string, outcome: string]; node: Node }
type Engine = { Checker: new () => { check: (node: Document, rules: string[]) => Promise<{ results: Result[] }> } }

/** What IBM Equal Access calls wrong for certain; what somebody should look at is left out. */
export async function checkByEqualAccess(page: Page) {
  await page.evaluate(engine)
  return page.evaluate(async () => {
    const { ace } = globalThis as unknown as { ace: Engine }
    const { results } = await new ace.Checker().check(document, ['IBM_Accessibility', 'WCAG_2_2'])
    // Words that screen readers alone get are words, too.
    const hasWords = ({ ruleId, node }: Result) => ruleId === 'label_content_exists' && Boolean(node.textContent?.trim())
    // A table that is wider than its frame is scrolled by the keyboard.
    const isScrolled = ({ ruleId, node }: Result) =>
      ruleId === 'element_tabbable_role_valid' && (node as Element).matches('[role=region].table-frame')
    const wrong = results.filter(
      (one) => one.value[0] === 'VIOLATION' && one.value[1] === 'FAIL' && !hasWords(one) && !isScrolled(one),
    )
    return wrong.map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`)
  })
}
