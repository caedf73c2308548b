import { company } from '#company/company.ts'
import { useTexts } from '#src/ui/language.tsx'
import { serviceCallTexts } from '../service-call-texts.ts'

/** Beside the form: what happens with a request, and the telephone for who cannot wait. */
export function ServiceCallAside() {
  const t = useTexts(serviceCallTexts)
  const { tollFree } = company.phones
  return (
    <section>
      <h2 className="text-xl">{t('nextTitle')}</h2>
      <ol className="my-4 grid list-decimal gap-3 ps-5 marker:font-bold marker:text-brand">
        <li>{t('next1')}</li>
        <li>{t('next2')}</li>
        <li>{t('next3')}</li>
      </ol>
      <p>
        {t('urgent')}{' '}
        <a
          href={`tel:${tollFree.e164}`}
          className="tabular inline-block py-0.5 font-bold text-brand underline underline-offset-2"
        >
          {tollFree.display}
        </a>
      </p>
    </section>
  )
}
