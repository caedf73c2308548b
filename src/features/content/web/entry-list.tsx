import { hasRight } from '#src/lib/rights.ts'
import { ButtonLink } from '#src/ui/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminTexts } from '#src/app/admin-shell/admin-texts.ts'
import { AdminHead } from './admin-head.tsx'
import { useProfile } from '#src/app/admin-shell/admin-layout.tsx'
import type { EntryTableProps } from './entry-table.tsx'
import { EntryTable } from './entry-table.tsx'
import { useRight } from './use-right.ts'

type EntryListProps<Row> = EntryTableProps<Row> & { createPath: string; backTo?: string }

/** A page with one list of edited content: title, Retour, Nouveau, and the table (spec.md 2.6). */
export function EntryList<Row>({ createPath, backTo, ...table }: EntryListProps<Row>) {
  const t = useTexts(adminTexts)
  useRight([table.area], 'read_only')
  const canWrite = hasRight(useProfile().rights, table.area, 'read_write')
  return (
    <>
      <AdminHead title={table.title} backTo={backTo} actions={canWrite && <ButtonLink to={createPath}>{t('add')}</ButtonLink>} />
      <EntryTable {...table} />
    </>
  )
}
