import type { Language } from '#src/lib/language.ts'
import { csvLine } from '#src/lib/csv.ts'
import { translator } from '#src/lib/texts.ts'
import type { ChatCounts, ChatFigures } from '../../figures-contract.ts'
import { figuresTexts } from '../../figures-texts.ts'

/** The figures for a spreadsheet: one line a day, then one a technician. */
export function exportFigures({ days, technicians, total }: ChatFigures, language: Language) {
  const t = translator(figuresTexts, language)
  const separator = language === 'fr' ? ';' : ','
  const number = (value: number | null) => (value === null ? null : language === 'fr' ? String(value).replace('.', ',') : value)
  const cells = (counts: ChatCounts) => [
    counts.chats,
    counts.missed,
    number(counts.answer_median),
    number(counts.answer_p90),
    number(counts.resolution_median),
    number(counts.resolution_p90),
    number(counts.rating),
    counts.ratings,
  ]
  const names = [
    t('chats'),
    t('missed'),
    t('answerMedian'),
    t('answerP90'),
    t('resolutionMedian'),
    t('resolutionP90'),
    t('rating'),
    t('ratings'),
  ]
  const lines = [
    [t('day'), t('technician'), ...names],
    ...days.map(({ day, ...counts }) => [day, '', ...cells(counts)]),
    ...technicians.map(({ user_name, ...counts }) => ['', user_name, ...cells(counts)]),
    [t('total'), '', ...cells(total)],
  ]
  // The mark at the start makes spreadsheets read UTF-8.
  return `\ufeff${lines.map((line) => csvLine(line, separator)).join('')}`
}
