import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { company } from '#company/company.ts'
import type { NetworkStatus } from '#src/features/networks/values.ts'
import { currentOf } from '#src/features/pages/web/menu-links.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { MenuIcon, PhoneIcon, SearchIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Logo } from '#src/ui/components/logo.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import { ExternalLinks } from './external-links.tsx'
import type { SiteMenuProps } from './site-menu.tsx'
import { SiteMenu, siteMenuId } from './site-menu.tsx'

type SiteHeaderProps = SiteMenuProps & {
  /** Null where unknown. */
  networkStatus: NetworkStatus | null
  languageSwitch: ReactNode
}

export function SiteHeader({ networkStatus, languageSwitch, ...menu }: SiteHeaderProps) {
  const t = useTexts(texts)
  const { tollFree } = company.phones
  return (
    <header>
      <a href="#content" className="button button-primary sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2">
        {t('skipToContent')}
      </a>
      <div className="night text-sm">
        <div className="wrap flex min-h-11 items-center justify-between gap-4 py-1">
          <div className="flex items-center gap-x-6">
            <a
              href={`tel:${tollFree.e164}`}
              className="top-link font-bold"
              aria-label={t('tollFree', { phone: tollFree.display })}
            >
              <PhoneIcon size={16} />
              <span className="tabular">{tollFree.display}</span>
            </a>
            <ExternalLinks className="hidden items-center gap-x-6 lg:flex" />
          </div>
          <div className="flex items-center gap-3">
            <Link to="/recherche" aria-label={t('search')} className="top-link">
              <SearchIcon />
            </Link>
            {languageSwitch}
          </div>
        </div>
      </div>
      <div className="border-b border-line">
        <div className="wrap flex min-h-18 items-center gap-x-1 py-2 sm:gap-x-4">
          <Link to="/" aria-label={t('homeOf', { name: company.name })} className="me-auto flex pe-1 lg:me-4">
            <Logo />
          </Link>
          <SiteMenu {...menu} />
          <div className="flex items-center gap-3 lg:ms-auto">
            <div aria-live="polite">
              <NetworkLink status={networkStatus} />
            </div>
            <ButtonLink to="/appel-de-service" size="small" className="hidden sm:inline-flex lg:hidden xl:inline-flex">
              {t('serviceCall')}
            </ButtonLink>
          </div>
          <button
            type="button"
            className="button button-quiet button-icon -me-3 lg:hidden"
            popoverTarget={siteMenuId}
            aria-label={t('menu')}
          >
            <MenuIcon size={24} />
          </button>
        </div>
      </div>
    </header>
  )
}

/** Network status on every page; fully red during an outage. */
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
