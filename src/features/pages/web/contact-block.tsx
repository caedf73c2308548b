import { company } from '#company/company.ts'
import { useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { contactTexts } from '../contact-texts.ts'
import { PostalAddress } from './postal-address.tsx'

/** Every way to reach the company: telephones, fax, two e-mails, address, and the hours in words. */
export function ContactBlock({ html }: { html: string }) {
  const t = useTexts(contactTexts)
  const { phones, emails } = company
  return (
    <section aria-labelledby="contact-block" className="night grid content-start gap-6 rounded-scene px-6 py-8 sm:px-8">
      <h2 id="contact-block" className="text-2xl">
        {t('blockTitle')}
      </h2>
      <dl className="grid gap-5">
        <Way name={t('quebec')} href={`tel:${phones.quebec.e164}`} value={phones.quebec.display} />
        <Way name={t('tollFree')} href={`tel:${phones.tollFree.e164}`} value={phones.tollFree.display} />
        <Way name={t('fax')} value={phones.fax.display} />
        <Way name={t('supportEmail')} href={`mailto:${emails.support}`} value={emails.support} />
        <Way name={t('telecomEmail')} href={`mailto:${emails.telecom}`} value={emails.telecom} />
        <div>
          <dt className="text-sm text-ink-2">{t('address')}</dt>
          <dd>
            <PostalAddress />
          </dd>
        </div>
      </dl>
      <RichText html={html} className="prose border-t border-line pt-5 text-sm" />
    </section>
  )
}

function Way({ name, value, href }: { name: string; value: string; href?: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{name}</dt>
      <dd className="tabular font-bold">
        {href ? (
          <a href={href} className="inline-block py-0.5 wrap-anywhere underline-offset-4 hover:underline">
            {value}
          </a>
        ) : (
          <span className="tabular">{value}</span>
        )}
      </dd>
    </div>
  )
}
