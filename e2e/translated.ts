import type { Page } from '@playwright/test'

/**
 * Does what a browser's translation does: each text node is taken out, and a `font` element with the translated text
 * (here the same) stands in its place; texts that come later are taken too.
 */
export async function wrapTexts(page: Page) {
  await page.evaluate(() => {
    const wrap = (root: Node) => {
      const texts: Text[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text)
      for (const text of texts) {
        const parent = text.parentElement
        if (!parent || !text.data.trim() || parent.closest('font, script, style, textarea, svg, title')) continue
        const inner = document.createElement('font')
        inner.textContent = text.data
        const outer = document.createElement('font')
        outer.append(inner)
        text.replaceWith(outer)
      }
    }
    wrap(document.body)
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node.isConnected) wrap(node.parentNode ?? node)
    }).observe(document.body, { childList: true, subtree: true })
  })
}
