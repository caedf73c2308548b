import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { usePublicContext } from '#src/ui/page/public-context.ts'
import { serviceCallTexts } from '../service-call-texts.ts'

/** Shown before the form while a network is in trouble: the answer may be there already. */
export function NetworkNotice({ isSent = false }: { isSent?: boolean }) {
  const t = useTexts(serviceCallTexts)
  const { networkStatus: status } = usePublicContext()
  if (!status || status === 'OK') return <div role="status" />
  return (
    <div
      role="status"
      className={`mb-8 flex items-start gap-4 rounded-card px-6 py-5 ${status === 'ERROR' ? 'bg-err-soft' : 'bg-warn-soft'}`}
    >
      <StatusIcon status={status} className="mt-0.5" />
      <div className="grid gap-1">
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
