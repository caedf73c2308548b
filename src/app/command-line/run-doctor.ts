import { checkInbox } from '#src/features/requests/server/mailbox.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { setTypography, translator } from '#src/lib/language/texts.ts'
import type { CommandContext, RunCommand } from '#src/server/command-line/command.ts'
import type { Check } from '#src/server/doctor/checks.ts'
import { runChecks } from '#src/server/doctor/run-checks.ts'
import type { CheckState } from '#src/lib/doctor-texts.ts'
import { doctorTexts } from '#src/lib/doctor-texts.ts'

const order: readonly CheckState[] = ['fail', 'warn', 'ok', 'skip']

export const run: RunCommand = async (context) => {
  const checks = await runChecks(context.environment, checkInbox)
  const isOk = checks.every(({ state }) => state !== 'fail')
  const pick = (text: LocalizedText) => setTypography(text[context.language], context.language)
  return {
    text: describeChecks(checks, context, pick),
    json: {
      ok: isOk,
      checks: checks.map(({ check, state, message, fix }) => ({
        check,
        state,
        message: pick(message),
        fix: fix ? pick(fix) : null,
      })),
    },
    exitCode: isOk ? 0 : 1,
  }
}

/** Failures first, each with what to do; what is well is short. */
function describeChecks(checks: Check[], { language, style, isUnicode }: CommandContext, pick: (text: LocalizedText) => string) {
  const t = translator(doctorTexts, language)
  const count = (state: CheckState) => checks.filter((one) => one.state === state).length
  const signs = isUnicode ? { fail: '✗', warn: '▲', ok: '✓', skip: '–' } : { fail: 'x', warn: '!', ok: '+', skip: '-' }
  const colors = { fail: 'red', warn: 'yellow', ok: 'green', skip: 'dim' } as const
  const [signWidth, nameWidth] = [10, Math.max(...checks.map(({ check }) => t(check).length)) + 2]
  const lines = checks
    .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
    .flatMap(({ check, state, message, fix }) => {
      const sign = style(colors[state], `${signs[state]} ${t(state)}`.padEnd(signWidth))
      const arrow = isUnicode ? '→' : '->'
      const advice = fix ? [`${' '.repeat(signWidth)}${arrow} ${pick(fix)}`] : []
      return [`${sign}${style('bold', t(check).padEnd(nameWidth))}${pick(message)}`, ...advice]
    })
  const summary = t('summary', { fail: count('fail'), warn: count('warn'), total: checks.length })
  return [style('bold', summary), '', ...lines, '', t('unchanged')].join('\n')
}
