import type { LocalizedText } from '#src/lib/form-result.ts'
import { translateAll } from '#src/lib/form-result.ts'
import type { CommandContext, RunCommand } from '#src/server/command-line/command.ts'
import { refusalOf } from '#src/server/command-line/lines.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { redirectCommandTexts as texts } from '../command-texts.ts'
import type { Redirect, Tried } from '../contract.ts'
import { redirectInput } from '../contract.ts'
import { redirectTexts } from '../texts.ts'

/** `guichet redirects list`. */
export const runList: RunCommand = async (context) => {
  const found = await ask<Redirect[]>(context, 'list', { q: context.arguments[0] ?? '' })
  const stateOf = ({ state }: Redirect) => translateAll(texts, state === 'ok' ? 'ok' : state)
  const lines = found.map((one) => {
    const hits = translateAll(texts, 'hits', { count: one.hits })
    const state = stateOf(one)
    const head = `${one.from} -> ${one.to ?? '-'}  ${one.status}`
    return { fr: [head, hits.fr, state.fr].filter(Boolean).join('  '), en: [head, hits.en, state.en].filter(Boolean).join('  ') }
  })
  return { text: found.length === 0 ? translateAll(texts, 'none') : joined(lines), json: found }
}

/** `guichet redirects add FROM TO`, or with `--gone` and no destination. */
export const runAdd: RunCommand = async (context) => {
  const [from = '', to = null] = context.arguments
  const isGone = context.options['gone'] === true
  if (isGone === (to !== null))
    throw new LocalizedError(translateAll(texts, isGone ? 'goneNowhere' : 'noTo', { given: from }), 'usage')
  const status = isGone ? 410 : context.options['temporary'] === true ? 302 : 301
  const input = redirectInput.safeParse({ from, to, status })
  if (!input.success) {
    const isFrom = input.error.issues.some(({ path }) => path[0] === 'from')
    throw new LocalizedError(translateAll(texts, isFrom ? 'badFrom' : 'badTo', { given: (isFrom ? from : to) ?? '' }), 'usage')
  }
  const added = await ask<Redirect>(context, 'add', input.data)
  return { text: translateAll(texts, to === null ? 'gone' : 'added', { from: added.from, to: added.to ?? '' }), json: added }
}

/** `guichet redirects test ADDRESS`; an address that nothing answers is not found. */
export const runTest: RunCommand = async (context) => {
  const address = context.arguments[0] ?? ''
  const tried = await ask<Tried>(context, 'test', { address, language: context.language })
  const values = { address, location: tried.location ?? '', title: tried.title ? `(${tried.title})` : '' }
  const text = translateAll(texts, `test_${tried.result}`, values)
  const broken = tried.broken ? [translateAll(texts, 'brokenTarget')] : []
  return {
    text: joined([text, ...broken]),
    json: tried,
    exitCode: tried.result === 'none' || tried.broken ? 1 : 0,
  }
}

const joined = (lines: readonly LocalizedText[]): LocalizedText => ({
  fr: lines.map(({ fr }) => fr.trim()).join('\n'),
  en: lines.map(({ en }) => en.trim()).join('\n'),
})

async function ask<Result>(context: CommandContext, what: string, body: unknown): Promise<Result> {
  const product = await context.openProduct(context.readConfig(), 'redirects')
  try {
    const response = await product.send({ method: 'POST', path: `/api/redirects/command/${what}`, body })
    if (response.ok) return (await response.json()) as Result
    const { reason } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { reason?: string }
    if (reason === 'taken' || reason === 'loop' || reason === 'known')
      throw new LocalizedError(translateAll(redirectTexts, reason))
    throw await refusalOf(response)
  } finally {
    await product.close()
  }
}
