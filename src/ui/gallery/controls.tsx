import { Badge } from '../components/badge.tsx'
import { Button, ButtonAnchor, ButtonLink } from '../components/button.tsx'
import { SelectField, TextArea, TextField } from '../forms/field.tsx'
import { IconButton } from '../components/icon-button.tsx'
import * as icons from '../components/icons.tsx'
import { useTexts } from '../language.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { Row, Section } from './section.tsx'

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
