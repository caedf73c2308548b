import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Mark that the simulated translation adds to each text, so that a lost translation is detected. */
const mark = '\u2060'

/** Translates with marks, so that translated texts differ from the originals. */
export const translate = (page: Page) => wrapTexts(page, mark)

/**
 * Translates the page as Chrome does, from now on: replaces each text node, also later ones, by its text inside two `font`
 * elements.
 */
export async function wrapTexts(page: Page, mark = '') {
  await page.evaluate((mark) => {
    const skipped = 'script, style, textarea, font, svg'
    const wrap = (text: Text) => {
      const parent = text.parentElement
      if (!parent || parent.closest(skipped) || !text.data.trim()) return
      const outer = document.createElement('font')
      const inner = outer.appendChild(document.createElement('font'))
      inner.textContent = text.data + mark
      text.replaceWith(outer)
    }
    const walk = (root: Node) => {
      const nodes = [root]
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) nodes.push(walker.currentNode)
      for (const node of nodes) if (node instanceof Text) wrap(node)
    }
    walk(document.body)
    document.title += mark
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === 'characterData') walk(target)
        for (const node of addedNodes) if (node.isConnected) walk(node)
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  }, mark)
}

/** All visible texts of the page, and its title. A form that somebody may be filling in stays as it was: it is left out. */
export async function visibleTexts(page: Page) {
  const shown = await page.evaluate(() => {
    const form = document.querySelector<HTMLElement>('#abonnement')?.innerText ?? ''
    return `${document.title}\n${document.body.innerText.replace(form, '')}`
  })
  return (
    shown
      .replaceAll(mark, '')
      // A page that was loaded a moment later has other lengths and availabilities of what just began.
      .replaceAll(/\d+(,\d+)?\s(%|min\b)/g, '… $2')
      .replaceAll(/[^\S\n]+/g, ' ')
      .split(/\s*\n\s*/)
  )
}

/** Expects the translated page to show the same texts as a fresh one. */
export async function expectAsFresh(page: Page) {
  const fresh = await page.context().newPage()
  await fresh.goto(page.url())
  await expect(fresh.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => visibleTexts(page)).toEqual(await visibleTexts(fresh))
  await fresh.close()
}

/** Text nodes that React updates beside other nodes: once translated, they could never change again. */
export const referencedTexts = (page: Page) =>
  page.evaluate(() => {
    type Fiber = { tag: number; memoizedProps: unknown; child?: Fiber; sibling?: Fiber; return?: Fiber }
    const main = document.querySelector('main') as unknown as Record<string, Fiber>
    let root = main[Object.keys(main).find((key) => key.startsWith('__reactFiber')) ?? '']
    while (root?.return) root = root.return
    const found: unknown[] = []
    const textTag = 6
    const visit = (first: Fiber | undefined) => {
      for (let fiber = first; fiber; fiber = fiber.sibling) {
        if (fiber.tag === textTag) found.push(fiber.memoizedProps)
        visit(fiber.child)
      }
    }
    visit(root?.child)
    return found
  })
