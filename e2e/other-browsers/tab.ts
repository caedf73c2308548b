import axe from 'axe-core'
import { expect, isHydrated } from '../fixtures.ts'

/** An element by role and accessible name: a text is the whole name. */
export type Target = { role: string; name?: string | RegExp; within?: Target }
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
type Step = { role: string; source: string; flags: string }

const patience = { timeout: 15_000, intervals: [50, 100, 200] }

/** A tab of a browser that Playwright does not drive. */
export abstract class Tab<Handle = unknown> {
  readonly origin: string
  /** Errors of scripts, promises and the Content-Security-Policy, as the browser writes them to its console. */
  readonly problems: string[] = []

  constructor(origin: string) {
    this.origin = origin
  }

  protected abstract goto(address: string): Promise<void>
  abstract reload(): Promise<void>
  abstract resize(width: number, height: number): Promise<void>
  abstract screenshot(): Promise<Buffer>
  abstract close(): Promise<void>
  abstract evaluate<Args extends Value[], Result>(script: string | ((...args: Args) => Result), ...args: Args): Promise<Result>
  protected abstract find<Args extends Value[]>(
    script: (...args: Args) => Promise<Element | undefined>,
    ...args: Args
  ): Promise<Handle | undefined>
  protected abstract press(element: Handle): Promise<void>
  /** In place of what the field has. */
  protected abstract type(element: Handle, text: string): Promise<void>

  async open(path: string) {
    await this.goto(new URL(path, this.origin).href)
    await this.expect({ role: 'heading' })
  }

  async hydrated() {
    await expect(async () => expect(await this.evaluate(isHydrated)).toBe(true)).toPass(patience)
  }

  async click(target: Target) {
    await this.press(await this.reach(target))
  }

  async enter(target: Target, text: string) {
    await this.type(await this.reach(target), text)
  }

  /** Waits until the element is visible and has that text. */
  async expect(target: Target, text: string | RegExp = '') {
    const check = async () => {
      const shown = await this.textOf(target)
      expect(shown, describe(target)).not.toBeNull()
      if (typeof text === 'string') expect(shown, describe(target)).toContain(text)
      else expect(shown, describe(target)).toMatch(text)
    }
    await expect(check).toPass(patience)
  }

  async expectNone(target: Target) {
    await expect(async () => expect(await this.textOf(target), describe(target)).toBeNull()).toPass(patience)
  }

  async expectPath(path: string | RegExp) {
    await expect(async () => expect(await this.evaluate(() => location.pathname)).toMatch(path)).toPass(patience)
  }

  /** Text of a visible element, or the value of a field. */
  async textOf(target: Target) {
    await this.injectAxe()
    return this.evaluate(readText, stepsTo(target))
  }

  /** Waits until a click in the middle of the element would meet it. */
  private async reach(target: Target) {
    const found: Handle[] = []
    const look = async () => {
      await this.injectAxe()
      const element = await this.find(findReachable, stepsTo(target))
      expect(element, `${describe(target)} can be reached`).toBeDefined()
      if (element !== undefined) found.push(element)
    }
    await expect(look).toPass(patience)
    return found[0] as Handle
  }

  /** Roles and names are those that axe-core computes: WebDriver has no search by them. */
  private async injectAxe() {
    if (await this.evaluate(() => 'axe' in window && 'findAll' in window)) return
    await this.evaluate(axe.source)
    await this.evaluate(`window.findAll = ${String(findAll)}`)
  }
}

const describe = ({ role, name, within }: Target): string => `${role} ${name ?? ''}${within ? ` of ${describe(within)}` : ''}`

function stepsTo({ role, name = '', within }: Target): Step[] {
  const escaped = name instanceof RegExp ? name.source : name && `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
  return [...(within ? stepsTo(within) : []), { role, source: escaped, flags: name instanceof RegExp ? name.flags : '' }]
}

type PageGlobals = { axe: Axe; findAll: typeof findAll }
type Axe = typeof axe & { commons: { aria: { getRole: (element: Element) => string | null } } }

/** Runs in the page, as the following functions do. */
function findAll(steps: Step[]) {
  const page = window as unknown as PageGlobals
  page.axe.setup()
  try {
    let found: Element[] = [document.documentElement]
    for (const { role, source, flags } of steps) {
      const name = new RegExp(source, flags)
      const isMatch = (element: Element) =>
        page.axe.commons.aria.getRole(element) === role &&
        element.checkVisibility({ visibilityProperty: true }) &&
        element.closest('[aria-hidden="true"], [inert]') === null &&
        name.test(page.axe.commons.text.accessibleText(element).trim())
      found = found.flatMap((one) => [...one.querySelectorAll('*')].filter(isMatch))
    }
    return found
  } finally {
    page.axe.teardown()
  }
}

function readText(steps: Step[]) {
  const [element] = (window as unknown as PageGlobals).findAll(steps)
  if (!element) return null
  return 'value' in element && typeof element.value === 'string' ? element.value : (element as HTMLElement).innerText
}

async function findReachable(steps: Step[]) {
  const middleOf = (element: Element) => {
    const [box] = element.getClientRects()
    return box ? [box.x + box.width / 2, box.y + box.height / 2] : [-1, -1]
  }
  const isMet = (element: Element) => {
    const [x = -1, y = -1] = middleOf(element)
    const met = document.elementFromPoint(x, y)
    return element.contains(met) || met?.closest('label')?.control === element
  }
  const isUsable = (element: Element) => !element.matches(':disabled, [aria-disabled="true"]')
  const element = (window as unknown as PageGlobals).findAll(steps).find(isUsable)
  if (!element) return undefined
  if (!isMet(element)) element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const before = String(middleOf(element))
  // What comes in above it would move it away from the pointer.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  return isMet(element) && String(middleOf(element)) === before ? element : undefined
}
