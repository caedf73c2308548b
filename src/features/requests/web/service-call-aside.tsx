import { company } from '#company/company.ts'
import { describeHours } from '#src/lib/hours.ts'
import { PhoneIcon } from '#src/ui/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { serviceCallTexts } from '../texts.ts'

/** Beside the form: what happens with a request, and the telephone for who cannot wait. */
export function ServiceCallAside() {
  const t = useTexts(serviceCallTexts)
  const language = useLanguage()
  const { tollFree, quebec } = company.phones
  return (
    <div className="grid content-start gap-10">
      <section className="grid gap-4">
        <h2 className="text-xl">{t('nextTitle')}</h2>
        <ol className="grid gap-4">
          {(['next1', 'next2', 'next3'] as const).map((step, index) => (
            <li key={step} className="flex gap-3">
              <span
                aria-hidden="true"
                className="tabular grid size-7 flex-none place-items-center rounded-full bg-brand-soft text-sm font-bold text-brand"
              >
                {index + 1}
              </span>
              <span>{t(step)}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className="grid gap-3">
        <h2 className="text-xl">{t('callTitle')}</h2>
        <p className="text-ink-2">{t('callText')}</p>
        <Phone name={t('tollFree')} phone={tollFree} />
        <Phone name={t('quebec')} phone={quebec} />
        <p className="text-sm text-ink-2">{t('hours', { hours: describeHours(company.hours, language) })}</p>
      </section>
    </div>
  )
}

function Phone({ name, phone }: { name: string; phone: { display: string; e164: string } }) {
  return (
    <a href={`tel:${phone.e164}`} className="inline-flex items-center gap-3 justify-self-start py-1 text-brand hover:underline">
      <PhoneIcon />
      <span>
        <span className="block text-sm text-ink-2">{name}</span>
        <span className="tabular text-lg font-bold">{phone.display}</span>
      </span>
    </a>
  )
}
