import { useLocation } from 'react-router'
import { company } from '#company/company.ts'
import { Opening } from '#src/features/chat/widget/opening.tsx'
import type { Availability } from '#src/lib/availability.ts'
import { ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { ChevronIcon, CloseIcon, HiringIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import { ExternalLinks } from './external-links.tsx'
import type { MenuSection } from '#src/features/pages/web/menu-links.ts'
import { currentOf, isUnder, menuSections } from '#src/features/pages/web/menu-links.ts'
import { useMenus } from './use-menus.ts'

export const siteMenuId = 'site-menu'

export type SiteMenuProps = {
  /** A posting is open. */
  isHiring: boolean
  availability: Availability | null
}

/** A row on a wide screen; on a phone the same element is a sheet, which opens without JavaScript. */
export function SiteMenu({ isHiring, availability }: SiteMenuProps) {
  const t = useTexts(texts)
  const { pathname } = useLocation()
  const menu = useMenus()
  const { tollFree } = company.phones
  return (
    <nav ref={menu} id={siteMenuId} popover="auto" aria-label={t('mainMenu')} className="menu-bar">
      <div className="flex items-center justify-between border-b border-line pb-3 lg:hidden">
        <p className="text-xl font-extrabold">{t('menu')}</p>
        <button
          type="button"
          className="button button-quiet button-icon"
          popoverTarget={siteMenuId}
          popoverTargetAction="hide"
          aria-label={t('closeMenu')}
        >
          <CloseIcon />
        </button>
      </div>
      <ul className="lg:flex lg:items-center">
        {/* Between these widths there is no room; it is in the submenu of the company too. */}
        <li className="lg:hidden xl:inline-flex">
          <Link to="/about" className="menu-item" aria-current={pathname === '/about' ? 'page' : undefined}>
            {t('about')}
          </Link>
        </li>
        {menuSections.map((section) => (
          <li key={section.text} className="lg:relative">
            <Submenu section={section} pathname={pathname} />
          </li>
        ))}
        <li>
          <Link to="/emploi" className="menu-item" aria-current={currentOf(pathname, '/emploi')}>
            <span>{t('careers')}</span>
            {isHiring && <HiringIcon size={18} className="text-brand" label={t('hiring')} />}
          </Link>
        </li>
        <li>
          <Link to="/contact" className="menu-item" aria-current={currentOf(pathname, '/contact')}>
            {t('contact')}
          </Link>
        </li>
      </ul>
      <ExternalLinks className="mt-4 grid justify-items-start gap-1 text-ink-2 lg:hidden" />
      <div className="mt-4 grid gap-3 border-t border-line pt-4 lg:hidden">
        <ButtonLink to="/appel-de-service">{t('serviceCall')}</ButtonLink>
        <ButtonAnchor variant="secondary" href={`tel:${tollFree.e164}`} className="tabular">
          {tollFree.display}
        </ButtonAnchor>
        {availability && <Opening availability={availability} />}
      </div>
    </nav>
  )
}

function Submenu({ section, pathname }: { section: MenuSection; pathname: string }) {
  const t = useTexts(texts)
  const isCurrent = section.prefixes.some((prefix) => isUnder(pathname, prefix))
  const nearest = nearestLink(section, pathname)
  return (
    <details name="site-submenu">
      <summary className="menu-item" aria-current={isCurrent || undefined}>
        <span>{t(section.text)}</span>
        <ChevronIcon size={16} className="menu-sign" />
      </summary>
      <ul className="submenu">
        {section.links.map((link) => (
          <li key={link.to}>
            <Link
              to={link.to}
              className="submenu-item"
              aria-current={link === nearest ? currentOf(pathname, link.to) : undefined}
            >
              {t(link.text)}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The longest path that contains the current one is the current section. */
function nearestLink(section: MenuSection, pathname: string) {
  return section.links.filter((link) => isUnder(pathname, link.to)).toSorted((a, b) => b.to.length - a.to.length)[0]
}
