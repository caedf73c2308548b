import { company } from '#company/company.ts'
import { EnglishBadge, englishStateOf, FrenchBadge } from '#src/features/content/web/english-badge.tsx'
import { locales } from '#src/lib/language/language.ts'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useFieldProps } from '#src/ui/forms/use-field-props.ts'
import { updaterTexts } from '../texts.ts'
import { messageMax } from '../values.ts'
import type { useUpdaterForm } from './updater-form.ts'

type UpdaterFieldsProps = { form: ReturnType<typeof useUpdaterForm>; disabled: boolean }

/** When the update is, how long it takes, what is said of it and to whom. */
export function UpdaterFields({ form, disabled }: UpdaterFieldsProps) {
  const t = useTexts(updaterTexts)
  const { values, change } = form
  const { textOf } = useFieldProps(form, {
    'no such time': t('noSuchTime'),
    'in the past': t('past'),
    'too far ahead': t('farAhead'),
    duration: t('wrongDuration'),
  })
  const english = englishStateOf({ french: values.message, english: values.message_en }, null, undefined, false)

  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField
          type="datetime-local"
          label={t('nextUpdate')}
          hint={t('nextUpdateHint', { zone: company.hours.timeZone })}
          {...textOf('next_update')}
          disabled={disabled}
        />
        <TextField
          label={t('duration')}
          hint={t('durationHint')}
          inputMode="numeric"
          {...textOf('duration_minutes')}
          disabled={disabled}
        />
      </div>
      <div className="grid gap-6 lg:grid-cols-2">
        <TextArea
          label={t('message')}
          hint={t('messageHint')}
          badge={<FrenchBadge />}
          optional
          lang={locales.fr}
          rows={4}
          maxLength={messageMax}
          {...textOf('message')}
          disabled={disabled}
        />
        <TextArea
          label={t('messageEn')}
          badge={<EnglishBadge state={english} />}
          optional
          lang={locales.en}
          rows={4}
          maxLength={messageMax}
          {...textOf('message_en')}
          disabled={disabled}
        />
      </div>
      <SwitchField
        label={t('public')}
        hint={t('publicHint')}
        checked={values.public}
        disabled={disabled}
        onChange={(isPublic) => change({ public: isPublic })}
      />
    </>
  )
}
