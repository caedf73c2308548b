import { Button } from '../components/button.tsx'
import { useTexts } from '../language.tsx'
import { Pagination } from '../components/pagination.tsx'
import { StatusText } from '../components/status-icon.tsx'
import { Table } from '../components/table.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { Section } from './section.tsx'

export function GalleryTable() {
  const t = useTexts(galleryTexts)
  const rows = [
    { name: t('fibre'), english: 'Quebec fibre', status: 'OK', word: t('ok') },
    { name: t('telephony'), english: 'IP telephony', status: 'WARNING', word: t('warning') },
  ] as const
  return (
    <Section title={t('table')}>
      <Table
        caption={t('table')}
        rows={rows}
        rowKey={(row) => row.english}
        columns={[
          { header: t('element'), cell: (row) => row.name, isRowHeader: true },
          { header: t('elementEn'), cell: (row) => row.english },
          { header: t('status'), cell: (row) => <StatusText status={row.status} label={row.word} /> },
        ]}
        actions={{
          header: t('actions'),
          cell: () => (
            <Button variant="danger" size="small">
              {t('danger')}
            </Button>
          ),
        }}
      />
      <Pagination page={2} count={7} to={(page) => `/ui?page=${page}`} />
    </Section>
  )
}
