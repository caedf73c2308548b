import { useState } from 'react'
import { useTexts } from '../language.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { Button, ButtonAnchor, ButtonLink } from '../components/button.tsx'
import { Pagination } from '../components/pagination.tsx'
import { StatusText, StatusIcon } from '../components/status-icon.tsx'
import { Table } from '../components/table.tsx'
import { Card, Ticket, Disclosure } from '../components/card.tsx'
import { ConfirmDialog, Dialog } from '../components/dialog.tsx'
import { LoadingOverlay, SkeletonList, Loading } from '../components/loading.tsx'
import { StatusCard } from '../components/status-card.tsx'
import { Toast } from '../components/toast.tsx'
import { Badge } from '../components/badge.tsx'
import { SelectField, TextArea, TextField } from '../forms/field.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { RichText } from '../rich-text/rich-text.tsx'
import { Banner } from '../components/banner.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Lamp } from '../components/lamp.tsx'
import type { ReactNode } from 'react'
import * as icons from '../components/icons.tsx'
import counterScene from '../illustrations/counter.svg'

/** `/ui`, in development only: every component in every state. */
export default function UiGallery() {
  const t = useTexts(galleryTexts)
  return (
    <div className="wrap">
      <h1 className="pt-12">{t('title')}</h1>
      <p className="max-w-prose py-8 text-lg text-ink-2">{t('lead')}</p>
      <div className="grid gap-16">
        <GalleryFoundations />
        <GalleryControls />
        <GalleryPieces />
        <GalleryTable />
        <GalleryBehaviour />
      </div>
    </div>
  )
}

function GalleryTable() {
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

type Answer = 'success' | 'error' | null

function GalleryBehaviour() {
  const t = useTexts(galleryTexts)
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null)
  const [answer, setResult] = useState<Answer>(null)
  const [covered, setCovered] = useState(false)
  return (
    <Section title={t('dialogs')}>
      <Row>
        <Button onClick={() => setOpen('dialog')}>{t('openDialog')}</Button>
        <Button variant="danger" onClick={() => setOpen('confirm')}>
          {t('openConfirm')}
        </Button>
        <Button variant="secondary" onClick={() => setResult('success')}>
          {t('showSuccess')}
        </Button>
        <Button variant="secondary" onClick={() => setResult('error')}>
          {t('showError')}
        </Button>
        <Button variant="secondary" onClick={() => setCovered((before) => !before)}>
          {t('showOverlay')}
        </Button>
      </Row>
      <StatusCard status="success">{t('saved')}</StatusCard>
      <StatusCard status="error">{t('failed')}</StatusCard>
      <LoadingOverlay busy={covered}>
        <Card>
          <p className="pb-16">{t('card')}</p>
        </Card>
      </LoadingOverlay>
      <Dialog
        open={open === 'dialog'}
        onClose={() => setOpen(null)}
        title={t('dialogTitle')}
        actions={<Button onClick={() => setOpen(null)}>{t('secondary')}</Button>}
      >
        {t('dialogText')}
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        consequence="final"
        onConfirm={() => setOpen(null)}
        onCancel={() => setOpen(null)}
      />
      <Toast status={answer} onHide={() => setResult(null)}>
        {answer === 'success' ? t('saved') : t('failed')}
      </Toast>
    </Section>
  )
}

const variants = ['primary', 'secondary', 'danger', 'link', 'quiet'] as const

export function GalleryControls() {
  const t = useTexts(galleryTexts)
  return (
    <>
      <Section title={t('buttons')}>
        <Row>
          {variants.map((variant) => (
            <Button key={variant} variant={variant}>
              {t(variant)}
            </Button>
          ))}
        </Row>
        <Row>
          {variants.map((variant) => (
            <Button key={variant} variant={variant} size="small">
              {t('small')}
            </Button>
          ))}
        </Row>
        <Row>
          {variants.map((variant) => (
            <Button key={variant} variant={variant} busy>
              {t('busy')}
            </Button>
          ))}
        </Row>
        <Row>
          {variants.map((variant) => (
            <Button key={variant} variant={variant} disabled>
              {t('disabled')}
            </Button>
          ))}
        </Row>
        <Row>
          <ButtonLink to="/reseau">{t('asLink')}</ButtonLink>
          <ButtonAnchor href="tel:+18005550142" variant="secondary">
            <icons.PhoneIcon />
            {t('phone')}
          </ButtonAnchor>
          <IconButton label={t('remove')} icon={<icons.TrashIcon />} />
        </Row>
        <Row>
          {Object.entries(icons)
            .toSorted(([one], [other]) => one.localeCompare(other))
            .map(([name, Icon]) => (
              <Icon key={name} size={28} label={name} />
            ))}
        </Row>
      </Section>
      <Section title={t('fields')}>
        <form className="grid gap-6 md:grid-cols-2" noValidate>
          <TextField label={t('name')} name="name" autoComplete="name" defaultValue="Zoé Lavallée" />
          <TextField label={t('email')} name="email" type="email" defaultValue="zoe.lavallee@" error={t('emailError')} />
          <SelectField label={t('department')} name="department">
            <option>{t('departmentOne')}</option>
            <option>{t('departmentTwo')}</option>
          </SelectField>
          <TextField label={t('phoneField')} name="phone" type="tel" optional />
          <TextArea label={t('description')} name="description" hint={t('descriptionHint')} badge={<Badge>{t('badge')}</Badge>} />
          <TextArea
            label={t('description')}
            name="description_en"
            badge={<Badge tone="warn">{t('older')}</Badge>}
            error={t('failed')}
            hint={t('descriptionHint')}
          />
          <TextField label={t('readOnly')} name="reference" readOnly value="AS-2026-000123" />
          <TextField label={t('disabled')} name="disabled" disabled placeholder={t('name')} />
        </form>
      </Section>
    </>
  )
}

const swatches = [
  ['paper', 'bg-paper'],
  ['surface', 'bg-surface'],
  ['line', 'bg-line'],
  ['edge', 'bg-edge'],
  ['ink', 'bg-ink'],
  ['ink-2', 'bg-ink-2'],
  ['brand', 'bg-brand'],
  ['brand-soft', 'bg-brand-soft'],
  ['lamp', 'bg-lamp'],
  ['ok', 'bg-ok'],
  ['ok-soft', 'bg-ok-soft'],
  ['warn', 'bg-warn'],
  ['warn-soft', 'bg-warn-soft'],
  ['err', 'bg-err'],
  ['err-soft', 'bg-err-soft'],
  ['night', 'bg-night'],
  ['alarm', 'bg-alarm'],
] as const

const scenes = Object.values(
  import.meta.glob<string>('../illustrations/*.svg', { eager: true, import: 'default', query: '?url' }),
)

const sample =
  '<h3>h3</h3><p><strong>strong</strong>, <em>em</em>, <u>u</u>, <s>s</s>, <a href="/reseau">a</a></p><ul><li>ul</li><li>li</li></ul><ol><li>ol</li></ol><blockquote>blockquote</blockquote>'

export function GalleryFoundations() {
  const t = useTexts(galleryTexts)
  return (
    <>
      <Section title={t('type')}>
        <p className="text-4xl font-extrabold tracking-tight">{t('title')}</p>
        <p className="text-3xl font-extrabold">{t('title')}</p>
        <p className="text-xl font-extrabold">{t('title')}</p>
        <p className="max-w-prose text-lg">{t('paragraph')}</p>
        <p className="max-w-prose">{t('paragraph')}</p>
        <p className="max-w-prose text-sm text-ink-2">{t('paragraph')}</p>
      </Section>
      <Section title={t('colours')}>
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
          {swatches.map(([name, className]) => (
            <li key={name} className="text-sm">
              <span className={`block h-16 rounded-field border border-line ${className}`} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t('pictures')}>
        <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          <img src={`${counterScene}#out`} width="640" height="600" alt={t('lampOff')} className="scene" />
          {scenes.map((scene) => (
            <img key={scene} src={scene} width="640" height="480" alt="" loading="lazy" className="scene" />
          ))}
        </div>
      </Section>
      <Section title={t('rich')}>
        <RichText html={sample} />
      </Section>
    </>
  )
}

const statuses = [
  ['OK', 'ok'],
  ['WARNING', 'warning'],
  ['ERROR', 'error'],
] as const

export function GalleryPieces() {
  const t = useTexts(galleryTexts)
  return (
    <>
      <Section title={t('statuses')}>
        <Row>
          {statuses.map(([status, word]) => (
            <StatusText key={status} status={status} label={t(word)} />
          ))}
        </Row>
        <Row>
          {statuses.map(([status, word]) => (
            <StatusIcon key={status} status={status} label={t(word)} size={32} />
          ))}
          {statuses.map(([status, word]) => (
            <StatusIcon key={status} status={status} label={t(word)} size={32} muted />
          ))}
        </Row>
        <Row>
          <Lamp on>{t('lampOn')}</Lamp>
          <Lamp on={false}>{t('lampOff')}</Lamp>
        </Row>
      </Section>
      <Section title={t('cards')}>
        <div className="grid gap-5 md:grid-cols-3">
          <Card>{t('card')}</Card>
          <Ticket
            stub={
              <>
                <icons.ServerIcon size={36} className="text-brand" />
                <span className="tabular font-extrabold">AS-2026-000118</span>
              </>
            }
          >
            <h3>{t('ticket')}</h3>
            <p className="mt-2 text-ink-2">{t('ticketText')}</p>
          </Ticket>
          <Row>
            <Badge>{t('badge')}</Badge>
            <Badge tone="ok">{t('ok')}</Badge>
            <Badge tone="warn">{t('older')}</Badge>
            <Badge tone="err">{t('closedBadge')}</Badge>
            <Badge tone="neutral">{t('badge')}</Badge>
            <Badge tone="count">3</Badge>
          </Row>
        </div>
      </Section>
      <Section title={t('banners')}>
        <Banner label={t('error')}>{t('alarm')}</Banner>
        <Banner tone="notice" label={t('warning')}>
          {t('notice')}
        </Banner>
      </Section>
      <Section title={t('panels')}>
        <div>
          <Disclosure title={t('panelOne')} open>
            {t('panelText')}
          </Disclosure>
          <Disclosure title={t('panelTwo')}>{t('panelText')}</Disclosure>
        </div>
      </Section>
      <Section title={t('waiting')}>
        <div className="grid items-start gap-8 md:grid-cols-3">
          <Loading />
          <SkeletonList />
          <EmptyState title={t('empty')} action={<Button variant="secondary">{t('secondary')}</Button>}>
            {t('emptyText')}
          </EmptyState>
        </div>
      </Section>
    </>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-6">
      <h2 className="border-b border-line pb-2 text-2xl">{title}</h2>
      {children}
    </section>
  )
}

/** Components in a wrapping row. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-4">{children}</div>
}
