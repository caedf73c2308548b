import { company } from '#company/company.ts'
import { unbroken } from '#src/lib/text/unbroken.ts'
import { ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { PhoneIcon } from '#src/ui/components/icons.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { pageTexts } from '../page-texts.ts'

/** The end of a service page: how to go on from here. */
export function ContactBand() {
  const t = useTexts(pageTexts)
  const { tollFree } = company.phones
  return (
    <section className="night mt-16 grid items-center gap-x-12 gap-y-6 rounded-scene px-6 py-10 sm:px-12 md:grid-cols-[1fr_auto] print:hidden">
      <div className="grid gap-3">
        <h2>{t('bandTitle')}</h2>
        <p className="max-w-prose text-ink-2">{t('bandText')}</p>
        <p className="text-sm font-bold">
          <Lamp on>{t('bandHours')}</Lamp>
        </p>
      </div>
      <div className="flex flex-wrap gap-3 md:flex-col">
        <ContactButton />
        <ButtonAnchor variant="secondary" href={`tel:${tollFree.e164}`}>
          <PhoneIcon />
          <span className="tabular">{t('call', { phone: unbroken(tollFree.display) })}</span>
        </ButtonAnchor>
      </div>
    </section>
  )
}

export function ContactButton() {
  const t = useTexts(pageTexts)
  return <ButtonLink to="/contact">{t('contactUs')}</ButtonLink>
}
