import { useNavigate } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { pickText } from '#src/lib/language/language.ts'
import { formatDay } from '#src/lib/time/dates.ts'
import { getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { descriptionTexts } from '../descriptions/texts.ts'
import { longTextTexts } from '../admin-texts.ts'
import type { LongText } from '../contract.ts'
import type { Route } from './+types/admin-texts-page.ts'

export const clientLoader = () => getJson<LongText[]>('/api/site/long_texts')

/** `/admin/textes`: the long texts of the site, and which of them were changed here. */
export default function AdminTextsPage({ loaderData: all }: Route.ComponentProps) {
  useRight(['company'], 'read_write')
  const t = useTexts(longTextTexts)
  const d = useTexts(descriptionTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const open = ({ id_text: id }: LongText) => void navigate(`/admin/texte_edit/${id}`)
  const titleOf = ({ titre, titre_en }: LongText) => pickText(language, titre, titre_en)
  return (
    <>
      <AdminHead
        title={t('title')}
        subtitle={t('subtitle')}
        actions={
          <ButtonLink to="/admin/recherche_partage" variant="secondary">
            {d('title')}
          </ButtonLink>
        }
      />
      <Table
        caption={t('title')}
        rows={all}
        rowKey={({ id_text: id }) => id}
        onOpen={open}
        columns={[
          { header: t('text'), cell: titleOf, isRowHeader: true },
          {
            header: t('page'),
            cell: ({ path }) => (
              <Link to={path} className="text-brand underline">
                {path}
              </Link>
            ),
          },
          {
            header: t('state'),
            cell: ({ is_default: isDefault, updated_at: at }) => (
              <Badge tone={isDefault ? 'neutral' : 'brand'}>
                {isDefault ? t('supplied') : t('changed', { date: formatDay(at.slice(0, 10), language) })}
              </Badge>
            ),
          },
        ]}
        actions={{
          header: t('edit'),
          cell: (row) => (
            <Button variant="secondary" size="small" aria-label={`${t('edit')} ${titleOf(row)}`} onClick={() => open(row)}>
              {t('edit')}
            </Button>
          ),
        }}
      />
    </>
  )
}
