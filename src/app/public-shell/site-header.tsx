import type { ReactNode } from 'react'
import { company } from '#company/company.ts'
import type { NetworkStatus } from '#src/features/networks/values.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { MenuIcon, PhoneIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import { Logo } from '#src/ui/components/logo.tsx'
import { NetworkLink } from './network-link.tsx'
import { OutsideLinks } from './outside-links.tsx'
import { SiteMenu, siteMenuId } from './site-menu.tsx'

type SiteHeaderProps = {
  /** Null where it is not known. */
  networkStatus: NetworkStatus | null
  languageSwitch: ReactNode
}

export function SiteHeader({ networkStatus, languageSwitch }: SiteHeaderProps) {
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
            <OutsideLinks className="hidden items-center gap-x-6 lg:flex" />
          </div>
          {languageSwitch}
        </div>
      </div>
      <div className="border-b border-line">
        <div className="wrap flex min-h-18 items-center gap-x-1 py-2 sm:gap-x-4">
          <Link to="/" aria-label={t('homeOf', { name: company.name })} className="me-auto flex pe-1 lg:me-4">
            <Logo />
          </Link>
          <SiteMenu />
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
