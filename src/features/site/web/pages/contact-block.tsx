import { company } from '#company/company.ts'
import { describeHours } from '#src/lib/hours.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { contactTexts } from '../../contact-texts.ts'
import { PostalAddress } from './postal-address.tsx'

/** Every way to reach the company (spec.md 2.4): telephones, fax, two e-mails, address, hours. */
export function ContactBlock() {
  const t = useTexts(contactTexts)
  const language = useLanguage()
  const { phones, emails } = company
  return (
    <section aria-labelledby="contact-block" className="night grid content-start gap-6 rounded-scene px-6 py-8 sm:px-8">
      <h2 id="contact-block" className="text-2xl">
        {t('blockTitle')}
      </h2>
      <dl className="grid gap-5">
        <Way name={t('tollFree')} href={`tel:${phones.tollFree.e164}`} value={phones.tollFree.display} note={t('emergency')} />
        <Way name={t('quebec')} href={`tel:${phones.quebec.e164}`} value={phones.quebec.display} />
        <Way name={t('fax')} value={phones.fax.display} />
        <Way name={t('supportEmail')} href={`mailto:${emails.support}`} value={emails.support} />
        <Way name={t('telecomEmail')} href={`mailto:${emails.telecom}`} value={emails.telecom} />
        <div>
          <dt className="text-sm text-ink-2">{t('address')}</dt>
          <dd>
            <PostalAddress />
          </dd>
        </div>
        <Way name={t('hours')} value={capitalize(describeHours(company.hours, language))} />
      </dl>
    </section>
  )
}

function Way({ name, value, href, note }: { name: string; value: string; href?: string; note?: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{name}</dt>
      <dd className="tabular font-bold">
        {href ? (
          <a href={href} className="inline-block py-0.5 underline-offset-4 hover:underline">
            {value}
          </a>
        ) : (
          value
        )}
      </dd>
      {note && <dd className="text-sm text-ink-2">{note}</dd>}
    </div>
  )
}

function capitalize(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
