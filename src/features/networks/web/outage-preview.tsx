import { useState } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { languages, locales, pickText } from '#src/lib/language/language.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { LanguageProvider, useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { Incident, Network } from '../contract.ts'
import { composeOutageMail } from '../notice-mail.ts'
import { outageTexts, statusKeys } from '../outage-texts.ts'
import { renderIncident, statusSymbols } from '../status-html.ts'
import { elementName, readDetails } from '../values.ts'

type Places = { banner: boolean; note: boolean; mails: boolean }
type PreviewProps = { incident: Incident; networks: Network[]; places: Places }

/** What will be published, beside the form, in the language that is chosen. */
export function OutagePreview(props: PreviewProps) {
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const [shown, setShown] = useState(language)
  return (
    <section className="outage-preview" aria-label={t('preview')}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-xl">{t('preview')}</h2>
        <fieldset className="chips">
          <legend className="sr-only">{t('previewLanguage')}</legend>
          {languages.map((one) => (
            <label key={one} className="chip" lang={locales[one]}>
              <input type="radio" name="preview-language" checked={shown === one} onChange={() => setShown(one)} />
              <span>{t(one)}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {/* Links in the preview do not navigate: the user did not mean to leave the form. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps clicks from doing anything */}
      <div className="preview" lang={locales[shown]} onClickCapture={(event) => event.preventDefault()}>
        <LanguageProvider value={shown}>
          <Published {...props} language={shown} />
        </LanguageProvider>
      </div>
      <Changes {...props} />
    </section>
  )
}

/** Each chosen place, with the components that visitors see. */
export function Published({ incident, networks, places, language }: PreviewProps & { language: Language }) {
  const t = useTexts(outageTexts)
  const title = pickText(language, incident.title, incident.title_en)
  const [update] = incident.updates
  const text = pickText(language, update?.text ?? '', update?.text_en ?? '')
  return (
    <div className="grid gap-4">
      {places.banner && (
        <section className="bg-alarm px-4 py-3 text-on-alarm" aria-label={t('banner')}>
          <p className="font-bold">{title}</p>
          <p className="whitespace-pre-line">{text}</p>
        </section>
      )}
      <RichText html={statusSymbols + renderIncident(incident, networks, language)} className="" />
      {places.note && (
        <section className="card p-5" aria-label={t('note')}>
          <p className="text-sm text-ink-2">{`${t('note')} · ${formatDateTime(incident.started_at, language)}`}</p>
          <p className="font-bold">{title}</p>
          <p className="whitespace-pre-line">{text}</p>
        </section>
      )}
      {places.mails && <MailPreview incident={incident} networks={networks} language={language} />}
    </div>
  )
}

/** The status of each component, now and then. */
function Changes({ incident: { elements, severity }, networks }: PreviewProps) {
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const changes = elements.flatMap(({ id_reseau, nom }) => {
    const network = networks.find((one) => one.id_reseau === id_reseau)
    if (!network) return []
    const detail = readDetails(network.details).find((one) => elementName(one) === nom)
    const name = (detail && pickText(language, detail.nom, detail.nom_en)) || network.nom || t('nameless')
    const from = detail?.statut ?? 'OK'
    // An outage never sets a component to a better status.
    return from === severity || from === 'ERROR' ? [] : [{ key: `${id_reseau} ${nom}`, name, from }]
  })
  if (changes.length === 0) return null
  return (
    <ul className="mt-4 grid gap-2">
      {changes.map(({ key, name, from }) => (
        <li key={key} className="flex items-center gap-2">
          <StatusIcon status={severity} />
          <span>{t('becomes', { name, from: t(statusKeys[from]), to: t(statusKeys[severity]) })}</span>
        </li>
      ))}
    </ul>
  )
}

type MailPreviewProps = { incident: Incident; networks: Network[]; language: Language }

/** The mail as it will be sent, but for the links of its recipient. */
export function MailPreview({ incident, networks, language }: MailPreviewProps) {
  const t = useTexts(outageTexts)
  const update = incident.updates.at(-1)
  if (!update) return null
  const page = `${location.origin}/reseau${incident.id_incident ? `/incident/${incident.id_incident}` : ''}`
  const step = { ...update, next: incident.next_update_at }
  const links = { page, leave: `${location.origin}/reseau/abonnement/…` }
  const { subject, body } = composeOutageMail(incident, step, networks, language, links)
  return (
    <figure className="card grid gap-2 p-5" lang={locales[language]}>
      <figcaption className="flex flex-wrap items-baseline gap-2 wrap-anywhere">
        <span className="text-sm text-ink-2">{t('mailSubject')}</span>
        <strong>{subject}</strong>
      </figcaption>
      <p className="border-t border-line pt-3 text-sm wrap-anywhere whitespace-pre-line">{body}</p>
    </figure>
  )
}
