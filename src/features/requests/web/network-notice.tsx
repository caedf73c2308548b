import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { usePublicContext } from '#src/ui/page/public-context.ts'
import { serviceCallTexts } from '../service-call-texts.ts'

/** Shown before the form while a network is in trouble: the answer may be there already. */
export function NetworkNotice({ isSent = false }: { isSent?: boolean }) {
  const t = useTexts(serviceCallTexts)
  const { network } = usePublicContext()
  const language = useLanguage()
  if (!network || network.status === 'OK') return <div role="status" />
  const { status, strip } = network
  return (
    <div role="status" className={`mb-8 rounded-card ${status === 'ERROR' ? 'bg-err-soft' : 'bg-warn-soft'}`}>
      <RichText html={strip[language]} className="pt-2" />
      <div className="grid gap-1 px-6 pb-5">
        <p className={`font-bold ${status === 'ERROR' ? 'text-err' : 'text-warn'}`}>{t(`network${status}`)}</p>
        <p>{t(isSent ? 'networkTextSent' : 'networkText')}</p>
        <Link to="/reseau" className="inline-flex items-center gap-2 py-0.5 font-bold text-brand underline underline-offset-4">
          <span>{t('networkLink')}</span>
          <ArrowIcon />
        </Link>
      </div>
    </div>
  )
}
