import { defineTexts } from '#src/lib/language/texts.ts'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { AuditChange } from '../contract.ts'
import { sampleAuthor } from '../values.ts'
import { useAuditLabels } from './audit-entry.tsx'
import { texts as auditTexts } from '../texts.ts'

const texts = defineTexts({
  fr: {
    title: 'Derniers changements',
    all: 'Journal d’audit',
    empty: 'Rien n’a changé récemment.',
    you: 'Vous',
    did: ', {action}\u00a0: ',
  },
  en: { title: 'Last changes', all: 'Audit log', empty: 'Nothing has changed recently.', you: 'You', did: ', {action}: ' },
})

/** On the landing screen, for readers of the audit log: who changed what last. */
export function LastChanges({ changes, userId }: { changes: readonly AuditChange[]; userId: number }) {
  const t = useTexts(texts)
  const a = useTexts(auditTexts)
  const names = useAuditLabels()
  const language = useLanguage()
  const now = new Date()
  const authorOf = ({ id_user, user_name }: AuditChange) => {
    if (id_user === userId) return t('you')
    return user_name === sampleAuthor ? a('sampleData') : user_name || a('product')
  }
  return (
    <section className="card counter-card" aria-labelledby="last-changes">
      <header>
        <h2 id="last-changes">{t('title')}</h2>
        <Link to="/admin/journal" className="counter-link">
          {t('all')}
        </Link>
      </header>
      {changes.length === 0 ? (
        <p className="counter-text text-ink-2">{t('empty')}</p>
      ) : (
        <ul className="counter-text grid gap-3">
          {changes.map((change) => (
            <li key={change.id_entry} className="counter-change">
              <time dateTime={change.at} className="text-sm text-ink-2">
                {formatAgo(new Date(change.at), now, language)}
              </time>
              <p className="wrap-anywhere">
                <strong translate="no">{authorOf(change)}</strong>
                <span>{t('did', { action: names.actionName(change.action).toLowerCase() })}</span>
                <span>{names.entryName(change) ?? names.areaName(change.area)}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
