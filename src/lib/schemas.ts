import { z } from 'zod'

// Zod compiles its schemas by `new Function`, which the pages' Content-Security-Policy forbids.
if ('document' in globalThis) z.config({ jitless: true })

/** Lengths that several features share, in characters. */
export const limits = { name: 200, title: 200, email: 254, phone: 40, message: 2000, text: 10_000, richText: 50_000 } as const

// NUL cannot be stored, a lone surrogate cannot be encoded: both are refused everywhere (contract.md 1).
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

/** Plain text of at most `max` characters. */
export const text = (max: number) => z.string().max(max, 'too long').refine(isStorable, 'invalid characters')
/** Plain text that must not be blank. */
export const requiredText = (max: number) => text(max).refine((value) => value.trim() !== '', 'required')
/** Text of one line: what goes into a mail header must not break it. */
export const requiredLine = (max: number) =>
  requiredText(max).refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'one line only')
export const email = z
  .string()
  .max(limits.email, 'too long')
  .regex(/^[^\s"(),:;<>@[\\\]]+@[^\s"(),:;<>@[\\\]]+\.[^\s"(),:;<>@[\\\]]+$/, 'invalid e-mail address')
  .pipe(z.email('invalid e-mail address'))
export const richText = text(limits.richText)

/** Which version of an entry a save was made from; where it is left out, the save wins. */
export const entryVersion = z.int().positive().optional()

/** French fields whose English is out of date, each with the moment since which it is. */
export const englishOlder = z.record(z.string(), z.string())
/** French fields whose English was checked and is still right. */
export const englishReviewed = z.array(z.string().max(50)).max(10).optional()

export const id = z.int().positive().max(2_147_483_647)
/** An id in an address, where everything is text. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .pipe(id)
export const isoDateTime = z.iso.datetime({ offset: true })
