import { useLocation } from 'react-router'
import type { NetworkStatus } from '#src/features/networks/values.ts'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import { currentOf } from '#src/features/pages/web/site-map.ts'

/** The state of the network in one glance, from any page; red all over when something is down. */
export function NetworkLink({ status }: { status: NetworkStatus | null }) {
  const t = useTexts(texts)
  const { pathname } = useLocation()
  const look =
    status === 'ERROR'
      ? 'bg-err-soft text-err hover:bg-err hover:text-surface'
      : 'hover:bg-brand-soft aria-[current=page]:bg-brand-soft'
  return (
    <Link
      to="/reseau"
      aria-current={currentOf(pathname, '/reseau')}
      className={`inline-flex min-h-9 items-center gap-2 rounded-full px-2 py-1 leading-tight sm:px-3 text-sm font-bold ${look}`}
    >
      {status && <StatusIcon status={status} size={20} />}
      <span key={status} className="wrap-anywhere">
        {status ? t(`network${status}`) : t('networkStatus')}
      </span>
    </Link>
  )
}
