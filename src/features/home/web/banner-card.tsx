import { useEffect, useState } from 'react'
import { pickVariant } from '#src/lib/language/language.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { AlertIcon } from '#src/ui/components/icons.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { HomeMessage } from '../contract.ts'

const texts = defineTexts({
  fr: {
    title: 'Bandeau d’urgence',
    on: 'Bandeau affiché',
    off: 'Aucun bandeau',
    edit: 'Modifier',
    write: 'Rédiger',
    remove: 'Retirer le bandeau',
    removed: 'Bandeau retiré.',
    undo: 'Annuler',
    removeFailed: 'Bandeau non retiré',
    undoFailed: 'Bandeau non rétabli',
  },
  en: {
    title: 'Emergency banner',
    on: 'Banner shown',
    off: 'No banner',
    edit: 'Edit',
    write: 'Write',
    remove: 'Take the banner down',
    removed: 'Banner taken down.',
    undo: 'Undo',
    removeFailed: 'The banner was not taken down',
    undoFailed: 'The banner was not put back',
  },
})

const address = '/api/home_messages/home_message'
const undoMs = 10_000

type BannerCardProps = { banner: HomeMessage | null; canWrite: boolean; onChanged: () => Promise<unknown> }

/** On the landing screen: whether visitors see the banner. Taking it down asks nothing, and can be undone for ten seconds. */
export function BannerCard({ banner, canWrite, onChanged }: BannerCardProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { busy, run, toast } = useAction()
  const [removed, setRemoved] = useState<HomeMessage | null>(null)
  useEffect(() => {
    if (!removed) return
    const timer = setTimeout(() => setRemoved(null), undoMs)
    return () => clearTimeout(timer)
  }, [removed])

  const handleRemove = (shown: HomeMessage) =>
    run(
      async () => {
        await callApi('DELETE', `${address}/${shown.id_home_message}`)
        setRemoved(shown)
        await onChanged()
      },
      { failed: t('removeFailed') },
    )
  const handleUndo = ({ title, title_en, message, message_en, publie, opens_on, closes_on }: HomeMessage) =>
    run(
      async () => {
        await callApi('POST', address, { title, title_en, message, message_en, publie, opens_on, closes_on })
        setRemoved(null)
        await onChanged()
      },
      { failed: t('undoFailed') },
    )
  const shown = banner && pickVariant(language, banner.message, banner.message_en)
  return (
    <section className="card counter-card" aria-labelledby="counter-banner">
      <header>
        <h2 id="counter-banner">{t('title')}</h2>
        {canWrite && (
          <Link to="/admin/notes" className="counter-link">
            {t(banner ? 'edit' : 'write')}
          </Link>
        )}
      </header>
      <div className="counter-text grid justify-items-start gap-3">
        <p role="status" className={banner ? 'flex items-center gap-2 font-bold text-err' : 'text-ink-2'}>
          {banner && <AlertIcon />}
          <span>{removed && !banner ? t('removed') : t(banner ? 'on' : 'off')}</span>
        </p>
        {shown && (
          <p className="counter-clamp" lang={shown.lang}>
            {textOfHtml(shown.text)}
          </p>
        )}
        {banner && canWrite && (
          <Button variant="secondary" size="small" busy={busy} onClick={() => void handleRemove(banner)}>
            {t('remove')}
          </Button>
        )}
        {removed && !banner && (
          <Button variant="secondary" size="small" busy={busy} onClick={() => void handleUndo(removed)}>
            {t('undo')}
          </Button>
        )}
      </div>
      <Toast {...toast} />
    </section>
  )
}
