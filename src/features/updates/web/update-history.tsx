import { pickVariant } from '#src/lib/language/language.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Table } from '#src/ui/components/table.tsx'
import type { PastUpdate } from '../contract.ts'
import { updaterTexts } from '../texts.ts'
import { describeInstant } from './when.ts'

const tones = { planned: 'brand', running: 'warn', done: 'ok', cancelled: 'neutral' } as const

/** What was announced so far, newest first. */
export function UpdateHistory({ updates }: { updates: readonly PastUpdate[] }) {
  const t = useTexts(updaterTexts)
  const language = useLanguage()
  return (
    <section className="mt-12" aria-labelledby="updates-history">
      <h2 id="updates-history" className="mb-4 text-2xl">
        {t('history')}
      </h2>
      {updates.length === 0 ? (
        <p className="text-ink-2">{t('historyEmpty')}</p>
      ) : (
        <Table
          caption={t('history')}
          rows={updates}
          rowKey={(update) => update.id_update}
          columns={[
            {
              header: t('date'),
              isRowHeader: true,
              cell: ({ next_update }) => {
                const { day, time } = describeInstant(next_update, language)
                return `${day}, ${time}`
              },
            },
            { header: t('duration'), cell: ({ duration_minutes }) => t('minutes', { count: duration_minutes }) },
            { header: t('state'), cell: ({ state }) => <Badge tone={tones[state]}>{t(state)}</Badge> },
            { header: t('visitors'), cell: (update) => t(update.public ? 'yes' : 'no') },
            {
              header: t('message'),
              cell: ({ message, message_en }) => {
                const { text, lang } = pickVariant(language, message, message_en)
                return <span lang={lang}>{text}</span>
              },
            },
          ]}
        />
      )}
    </section>
  )
}
