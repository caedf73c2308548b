import type { FormEvent } from 'react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Officer, OfficerInput } from '#src/features/company/contract.ts'
import { useRights } from '#src/features/content/web/admin-context.ts'
import { pickText } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useSaving } from '#src/ui/forms/use-saving.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { officerTexts } from '../officer-texts.ts'

/** Who is in charge of personal information, as the policy and the notices name them; administrators change it. */
export function OfficerSection({ officer }: { officer: Officer }) {
  const t = useTexts(officerTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const [isEditing, setEditing] = useState(false)
  const canChange = hasRight(useRights(), 'privacy', 'administrator')
  return (
    <section className="grid gap-4">
      <h2 className="text-xl">{t('title')}</h2>
      <p className="text-ink-2">
        <span>{t('intro')}</span>{' '}
        <Link to="/about/personal_information" className="text-brand underline">
          {t('seePolicy')}
        </Link>
      </p>
      {isEditing ? (
        <OfficerForm
          officer={officer}
          onSaved={() => {
            setEditing(false)
            void revalidate()
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <p>
            <span className="block font-bold" translate="no">
              {officer.name}
            </span>
            <span className="block">{pickText(language, officer.title, officer.title_en)}</span>
            <a href={`mailto:${officer.email}`} className="text-brand underline wrap-anywhere">
              {officer.email}
            </a>
          </p>
          {canChange && (
            <div>
              <Button variant="secondary" onClick={() => setEditing(true)}>
                {t('change')}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  )
}

type FormProps = { officer: Officer; onSaved: () => void; onCancel: () => void }
type Field = 'name' | 'title' | 'title_en' | 'email'

function OfficerForm({ officer, onSaved, onCancel }: FormProps) {
  const t = useTexts(officerTexts)
  const { busy, failure, errorOf, save } = useSaving()
  const [values, setValues] = useState<OfficerInput>(() => {
    const { is_default: _default, ...input } = officer
    return input
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void save(
      async () => {
        await callApi<Officer>('PUT', '/api/privacy/officer', values)
        onSaved()
      },
      ({ problem }) => {
        const current = problem.current as Officer | undefined
        if (!current) return undefined
        // Whoever read that a colleague changed it means the next save.
        setValues({ ...values, version: current.version })
        return t('changed', { name: current.name, email: current.email })
      },
    )
  }
  const props = (name: Field) => ({
    name,
    required: true,
    autoComplete: 'off',
    maxLength: name === 'email' ? 254 : 200,
    value: values[name],
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  return (
    <form method="post" noValidate onSubmit={handleSubmit} className="grid gap-5">
      <StatusCard status={failure ? 'error' : null}>{failure}</StatusCard>
      <div className="grid gap-5 md:grid-cols-2">
        <TextField label={t('name')} {...props('name')} autoFocus />
        <TextField label={t('email')} type="email" {...props('email')} />
        <TextField label={t('role')} {...props('title')} />
        <TextField label={t('roleEn')} {...props('title_en')} lang="en-CA" />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          {t('save')}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
