import { company } from '#company/company.ts'
import type { EntryState, Publication } from '#src/lib/schemas.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { instantOf, localTime, zoneName } from '#src/lib/time/zoned-time.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { publicationTexts } from '../texts.ts'

const { timeZone } = company.hours

type Form<Values> = {
  values: Values
  errors: Record<string, string>
  isRequired: (field: string) => boolean
  change: (next: Partial<Publication>) => void
}

type PublicationFieldsProps = {
  form: Form<Publication>
  /** What the entry lacks to be public; it then stays a draft whatever is chosen. */
  missing: 'title' | 'text' | null
}

/** Draft or published, and from when until when, in the time of the company. */
export function PublicationFields({ form, missing }: PublicationFieldsProps) {
  const t = useTexts(publicationTexts)
  const language = useLanguage()
  const { errorOf } = useFieldProps(form)
  const moment = (field: 'opens_on' | 'closes_on') => ({
    type: 'datetime-local',
    name: field,
    value: form.values[field] ? localTime(timeZone, new Date(form.values[field])) : '',
    error: errorOf(field),
    onChange: (event: { target: { value: string } }) => form.change({ [field]: readMoment(event.target.value) }),
  })
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-6">
      <div className="col-span-full">
        <PublishedField form={form} missing={missing} />
      </div>
      <TextField label={t('opensOn')} hint={t('opensOnHint', { zone: zoneName(timeZone, language) })} {...moment('opens_on')} />
      <TextField label={t('closesOn')} hint={t('closesOnHint')} {...moment('closes_on')} />
    </div>
  )
}

type PublishedForm = { values: Pick<Publication, 'publie'>; change: (next: Pick<Publication, 'publie'>) => void }

/** Draft or published. */
export function PublishedField({ form, missing }: { form: PublishedForm; missing: 'title' | 'text' | null }) {
  const t = useTexts(publicationTexts)
  const { publie } = form.values
  const reason = publie && missing
  return (
    <SwitchField
      label={t('published')}
      hint={reason ? t(reason === 'title' ? 'needsTitle' : 'needsText') : t('publishedHint')}
      checked={publie}
      onChange={(isPublished) => form.change({ publie: isPublished })}
    />
  )
}

/** The instant of a local time (YYYY-MM-DDTHH:mm); null while it is incomplete. */
function readMoment(local: string) {
  const [day, time] = local.split('T')
  return day && time ? instantOf(timeZone, day, time).toISOString() : null
}

type Shown = Omit<Publication, 'publie'> & { state: EntryState }

const tones = { draft: 'warn', planned: 'brand', open: 'ok', closed: 'neutral' } as const

/** Whether visitors see an entry, in words, with `format` for its dates: moments by default. */
export function useStateText(format?: (date: string) => string) {
  const t = useTexts(publicationTexts)
  const language = useLanguage()
  const shownAs = format ?? ((date: string) => formatDateTime(date, language, { timeZone }))
  return ({ state, opens_on, closes_on }: Shown) => {
    if (state === 'planned') return t('planned', { date: shownAs(opens_on ?? '') })
    if (state === 'closed') return t('closed', { date: shownAs(closes_on ?? '') })
    if (state === 'open' && closes_on) return t('openUntil', { date: shownAs(closes_on) })
    return t(state)
  }
}

const order: readonly EntryState[] = ['draft', 'planned', 'open', 'closed']

/** By state, then by its date; what is shown without an end comes after what ends. */
export const stateSortKey = ({ state, opens_on, closes_on }: Shown) =>
  `${order.indexOf(state)} ${(state === 'planned' ? opens_on : closes_on) ?? '9999'}`

/** The same as a badge. */
export function StateBadge({ state, children }: { state: EntryState; children: string }) {
  return <Badge tone={tones[state]}>{children}</Badge>
}
