import { formatDateTime } from '#src/lib/time/date-time.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { ChevronIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import type { AuditEntry } from '../contract.ts'
import { texts } from '../texts.ts'
import { sampleAuthor } from '../values.ts'
import { findDifferences } from './differences.ts'
import { DifferenceList } from './difference-list.tsx'
import { useAuditLabels } from './use-audit-labels.ts'

const tones: Record<string, 'ok' | 'brand' | 'err' | 'warn'> = { create: 'ok', update: 'brand', delete: 'err', restore: 'warn' }

type AuditEntryItemProps = {
  line: AuditEntry
  /** Null where the person may not undo it. */
  onUndo: (() => void) | null
}

/** One event: time, author, address, action, entry and differences. */
export function AuditEntryItem({ line, onUndo }: AuditEntryItemProps) {
  const t = useTexts(texts)
  const names = useAuditLabels()
  const language = useLanguage()
  const { area, action, entry_id: entryId, before, after } = line
  const differences = findDifferences(before, after, { order: names.fields, richText: names.richText(area, entryId) })
  const page = names.entryPath(area, entryId)
  return (
    <li className="grid gap-3 border-t border-line px-5 py-4 first:border-t-0 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="text-sm text-ink-2">
        <time dateTime={line.at} className="block font-bold text-ink">
          {formatDateTime(line.at, language)}
        </time>
        {line.user_name === sampleAuthor ? t('sampleData') : line.user_name || t('product')}
        {line.address && <span className="tabular"> · {line.address}</span>}
      </div>
      <div className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={tones[action] ?? 'neutral'}>{names.actionName(action)}</Badge>
          <span className="text-ink-2">{names.areaName(area)}</span>
          <strong className="wrap-anywhere">{names.entryName(line)}</strong>
          <p className="flex grow flex-wrap items-center justify-end gap-x-5 gap-y-1 text-sm">
            {entryId && (
              <Link to={`/admin/journal?${String(new URLSearchParams({ area, entry: entryId }))}`} className="audit-link">
                {t('history')}
              </Link>
            )}
            {page && action !== 'delete' && (
              <Link to={page} className="audit-link">
                {t('open')}
              </Link>
            )}
            {onUndo && (
              <Button variant="secondary" size="small" onClick={onUndo}>
                {t('undo')}
              </Button>
            )}
          </p>
        </div>
        {differences.length > 0 && (
          <details className="min-w-0">
            <summary className="inline-flex min-h-6 items-center gap-1 font-bold text-brand">
              {t(before && after ? 'seeChanges' : 'seeContent')}
              <ChevronIcon size={16} className="menu-sign" />
            </summary>
            <DifferenceList differences={differences} isChange={Boolean(before && after)} />
          </details>
        )}
      </div>
    </li>
  )
}
