import { addDays, formatDay } from '#src/lib/time/dates.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { describeDay } from '../ribbon-html.ts'
import { statusTexts } from '../status-texts.ts'

const at = new WeakMap<HTMLElement, number>()

/** Moves to a day of a ribbon by key or pointer, and shows and announces its date, state and length. */
export function readRibbon(ribbon: HTMLElement, event: Event, language: Language) {
  const days = ribbon.dataset.days ?? ''
  const last = days.length - 1
  const was = at.get(ribbon) ?? last
  let index = was
  if (event instanceof KeyboardEvent) {
    const targets: Record<string, number> = { ArrowLeft: was - 1, ArrowRight: was + 1, Home: 0, End: last }
    const target = targets[event.key]
    if (target === undefined) return
    index = Math.min(last, Math.max(0, target))
  }
  if (event instanceof PointerEvent) {
    const box = ribbon.firstElementChild?.getBoundingClientRect()
    if (!box) return
    index = Math.min(last, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * days.length)))
    if (index === was && ribbon.querySelector('.ribbon-tip')) return
  }
  at.set(ribbon, index)
  const t = translator(statusTexts, language)
  const lengths = JSON.parse(ribbon.dataset.lengths ?? '{}') as Record<string, number[]>
  const first = ribbon.closest<HTMLElement>('[data-first]')?.dataset.first ?? ''
  const day = formatDay(addDays(first, index), language)
  const since = index === last ? ribbon.dataset.since : ''
  const text = t('dayIs', { day, state: describeDay(days[index] ?? '.', lengths[index], t, since) })
  // The value of the slider, which a screen reader moves by arrows, is the day.
  ribbon.ariaValueNow = String(index)
  ribbon.ariaValueText = text
  ribbon.removeAttribute('title')
  const tip = ribbon.querySelector<HTMLElement>('.ribbon-tip') ?? ribbon.appendChild(document.createElement('span'))
  tip.className = 'ribbon-tip'
  tip.ariaHidden = 'true'
  tip.textContent = text
  tip.style.setProperty('--at', String((index + 0.5) / days.length))
  ribbon.style.setProperty('--at', String((index + 0.5) / days.length))
}
