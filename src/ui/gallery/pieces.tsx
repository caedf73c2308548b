import { Badge } from '../components/badge.tsx'
import { Banner } from '../components/banner.tsx'
import { Button } from '../components/button.tsx'
import { Card, Ticket } from '../components/card.tsx'
import { Disclosure } from '../components/disclosure.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ServerIcon } from '../components/icons.tsx'
import { Lamp } from '../components/lamp.tsx'
import { useTexts } from '../language.tsx'
import { SkeletonList } from '../components/skeleton.tsx'
import { Loading } from '../components/loading.tsx'
import { StatusIcon, StatusText } from '../components/status-icon.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { Row, Section } from './section.tsx'

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
                <ServerIcon size={36} className="text-brand" />
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
