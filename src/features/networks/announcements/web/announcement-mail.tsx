import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { composeNewsMail } from '../../notice-mail.ts'
import type { Announcement } from '../contract.ts'
import { announcementTexts } from '../texts.ts'

type Texts = Pick<Announcement, 'subject' | 'subject_en' | 'text' | 'text_en'>

/** The mail as it will be sent, but for the link of its reader. */
export function AnnouncementMail({ texts, language }: { texts: Texts; language: Language }) {
  const t = useTexts(announcementTexts)
  const leave = `${location.origin}/reseau/abonnement/…`
  const { subject, body } = composeNewsMail(texts, language, { origin: location.origin, leave })
  return (
    <figure className="card grid gap-3 p-5" lang={locales[language]}>
      <figcaption className="flex flex-wrap items-baseline gap-2 wrap-anywhere">
        <span className="text-sm text-ink-2">{t('mailSubject')}</span>
        <strong>{subject}</strong>
      </figcaption>
      <RichText html={language === 'fr' ? texts.text : texts.text_en} className="prose border-t border-line pt-3" />
      <p className="border-t border-dashed border-line pt-3 text-sm text-ink-2 wrap-anywhere whitespace-pre-line">
        {body.trimEnd().split('\n\n').slice(-2).join('\n\n')}
      </p>
    </figure>
  )
}
