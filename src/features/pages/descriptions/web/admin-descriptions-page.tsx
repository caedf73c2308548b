import { useNavigate } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useRight, useRights } from '#src/features/content/web/admin-context.ts'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { hasRight } from '#src/lib/rights.ts'
import { pickText } from '#src/lib/language/language.ts'
import { foldText } from '#src/lib/text/plain-text.ts'
import { getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ListedPage } from '../contract.ts'
import { descriptionTexts } from '../texts.ts'
import type { Route } from './+types/admin-descriptions-page.ts'

export const clientLoader = () => getJson<ListedPage[]>('/api/pages')

/** `/admin/recherche_partage`: every page of the site, and which have a title or description of the office. */
export default function AdminDescriptionsPage({ loaderData: all }: Route.ComponentProps) {
  useRight(['company'], 'read_only')
  const t = useTexts(descriptionTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const canWrite = hasRight(useRights(), 'company', 'read_write')
  const { valueOf, isFiltered } = useFilter(['search'])
  const wanted = foldText(valueOf('search'))
  const titleOf = ({ title }: ListedPage) => pickText(language, title.fr, title.en)
  const rows = all.filter(({ title, path }) => foldText(`${title.fr} ${title.en} ${path}`).includes(wanted))
  const open = ({ key }: ListedPage) => void navigate(`/admin/recherche_partage/${key}`)
  return (
    <>
      <AdminHead title={t('title')} subtitle={t('subtitle')} home="/admin/textes" />
      <FilterForm>
        <SearchField label={t('find')} placeholder={t('findHint')} value={valueOf('search')} />
        <FilterButton>{t('find')}</FilterButton>
        {isFiltered && <ClearFilter to="/admin/recherche_partage">{t('clear')}</ClearFilter>}
      </FilterForm>
      {rows.length === 0 ? (
        <EmptyState title={t('noMatch')}>{t('noMatchHint')}</EmptyState>
      ) : (
        <Table
          caption={t('title')}
          rows={rows}
          rowKey={({ key }) => key}
          onOpen={canWrite ? open : undefined}
          columns={[
            { header: t('page'), cell: titleOf, isRowHeader: true },
            {
              header: t('address'),
              cell: ({ path }) => (
                <Link to={path} className="text-brand underline wrap-anywhere">
                  {path}
                </Link>
              ),
            },
            {
              header: t('state'),
              cell: ({ has_own: hasOwn }) => <Badge tone={hasOwn ? 'brand' : 'neutral'}>{t(hasOwn ? 'own' : 'supplied')}</Badge>,
            },
          ]}
          actions={
            canWrite
              ? {
                  header: t('edit'),
                  cell: (row) => (
                    <Button
                      variant="secondary"
                      size="small"
                      aria-label={t('editOf', { title: titleOf(row) })}
                      onClick={() => open(row)}
                    >
                      {t('edit')}
                    </Button>
                  ),
                }
              : undefined
          }
        />
      )}
    </>
  )
}
