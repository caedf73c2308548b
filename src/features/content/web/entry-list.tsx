import { hasRight } from '#src/lib/rights.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { buttonTexts } from '../button-texts.ts'
import { AdminHead } from './admin-head.tsx'
import { useRights } from './use-right.ts'
import type { EntryTableProps } from './entry-table.tsx'
import { EntryTable } from './entry-table.tsx'
import { useRight } from './use-right.ts'

type EntryListProps<Row> = EntryTableProps<Row> & { createPath: string; backTo?: string }

/** A page with one list of edited content: title, Retour, Nouveau, and the table. */
export function EntryList<Row>({ createPath, backTo, ...table }: EntryListProps<Row>) {
  const t = useTexts(buttonTexts)
  useRight([table.area], 'read_only')
  const canWrite = hasRight(useRights(), table.area, 'read_write')
  return (
    <>
      <AdminHead title={table.title} backTo={backTo} actions={canWrite && <ButtonLink to={createPath}>{t('add')}</ButtonLink>} />
      <EntryTable {...table} />
    </>
  )
}
