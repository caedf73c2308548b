import { defineTexts } from '#src/lib/language/texts.ts'
import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { usePublicContext } from '#src/ui/page/public-context.ts'

const texts = defineTexts({
  fr: {
    WARNING: 'Un de nos réseaux est dégradé en ce moment',
    ERROR: 'Une panne est en cours sur un de nos réseaux',
    beforeSending: 'Nos techniciens y travaillent déjà. Voyez si votre problème y figure avant d’envoyer votre demande.',
    afterSending: 'Nos techniciens y travaillent déjà. Votre problème en fait peut-être partie.',
    link: 'Voir l’état du réseau',
  },
  en: {
    WARNING: 'One of our networks is degraded at the moment',
    ERROR: 'There is an outage on one of our networks',
    beforeSending: 'Our technicians are on it already. See whether your problem is listed before you send your request.',
    afterSending: 'Our technicians are on it already. Your problem may be part of it.',
    link: 'See the network status',
  },
})

/** Shown before the form while a network is in trouble: the answer may be there already. */
export function NetworkNotice({ isSent = false }: { isSent?: boolean }) {
  const t = useTexts(texts)
  const { network } = usePublicContext()
  const language = useLanguage()
  if (!network || network.status === 'OK') return <div role="status" />
  const { status, strip } = network
  return (
    <div role="status" className={`${isSent ? '' : 'mb-8 '}rounded-card ${status === 'ERROR' ? 'bg-err-soft' : 'bg-warn-soft'}`}>
      <RichText html={strip[language]} className="pt-2" />
      <div className="grid gap-1 px-6 pb-5">
        <p className={`font-bold ${status === 'ERROR' ? 'text-err' : 'text-warn'}`}>{t(status)}</p>
        <p>{t(isSent ? 'afterSending' : 'beforeSending')}</p>
        <Link to="/reseau" className="inline-flex items-center gap-2 py-0.5 font-bold text-brand underline underline-offset-4">
          <span>{t('link')}</span>
          <ArrowIcon />
        </Link>
      </div>
    </div>
  )
}
