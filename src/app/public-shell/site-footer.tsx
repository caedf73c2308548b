import { useEffect, useRef } from 'react'
import { company } from '#company/company.ts'
import { Opening } from '#src/features/chat/widget/opening.tsx'
import type { MenuLink } from '#src/features/pages/web/menu-links.ts'
import { companyLinks, serviceLinks, supportLinks } from '#src/features/pages/web/menu-links.ts'
import type { Availability } from '#src/lib/availability.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Logo } from '#src/ui/components/logo.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Theme } from '#src/ui/page/preferences.ts'
import { texts } from '#src/ui/page/site-texts.ts'

const footerLinks: MenuLink[] = [
  { text: 'careers', to: '/emploi' },
  { text: 'accessibility', to: '/about/accessibility' },
]

type SiteFooterProps = { availability: Availability | null; theme: Theme; onTheme: (theme: Theme) => void }

export function SiteFooter({ availability, theme, onTheme }: SiteFooterProps) {
  const t = useTexts(texts)
  const { phones, emails } = company
  return (
    <footer className="night mt-24 text-sm">
      <div className="wrap grid gap-x-8 gap-y-10 pt-14 pb-10 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="grid content-start justify-items-start gap-4">
          <Logo />
          <p className="text-ink-2">{t('footerPitch')}</p>
          {availability && <Opening availability={availability} />}
          <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-1">
            <Way name={t('tollFreeLabel')} href={`tel:${phones.tollFree.e164}`} value={phones.tollFree.display} />
            <Way name={t('quebecLabel')} href={`tel:${phones.quebec.e164}`} value={phones.quebec.display} />
            <Way name={t('supportEmail')} href={`mailto:${emails.support}`} value={emails.support} />
          </dl>
          <ButtonLink to="/contact" size="small">
            {t('contactUs')}
          </ButtonLink>
        </div>
        <FooterLinks title={t('services')} links={serviceLinks} />
        <FooterLinks title={t('company')} links={[...companyLinks, ...footerLinks]} />
        <FooterLinks title={t('support')} links={[...supportLinks, { text: 'networkStatus', to: '/reseau' }]} />
      </div>
      <div className="border-t border-line">
        <div className="wrap flex flex-wrap items-center justify-between gap-4 pt-5 pb-24 2xl:pb-5">
          <Link to="/admin/login" className="top-link text-ink-2">
            {t('copyright', { name: company.legalName, year: company.foundedYear })}
          </Link>
          {/* Otherwise the browser would restore an older choice on history navigation. Such a form sends nothing, and is none to who listens. */}
          <form method="dialog" autoComplete="off" role="none">
            <ThemeChoice theme={theme} onTheme={onTheme} />
          </form>
        </div>
      </div>
    </footer>
  )
}

function FooterLinks({ title, links }: { title: string; links: MenuLink[] }) {
  const t = useTexts(texts)
  return (
    <nav aria-label={title}>
      <h2 className="mb-2 text-base">{title}</h2>
      <ul>
        {links.map((link) => (
          <li key={link.to}>
            <Link to={link.to} className="top-link text-ink-2">
              {t(link.text)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Way({ name, href, value }: { name: string; href: string; value: string }) {
  return (
    <>
      <dt className="py-1 text-ink-2">{name}</dt>
      <dd>
        <a href={href} className="top-link tabular font-bold wrap-anywhere">
          {value}
        </a>
      </dd>
    </>
  )
}

const choices = [
  { theme: 'light', text: 'themeLight' },
  { theme: 'dark', text: 'themeDark' },
  { theme: 'auto', text: 'themeAuto' },
] as const

type ThemeChoiceProps = { theme: Theme; onTheme: (theme: Theme) => void }

/** Radio buttons, because the browser keeps a choice made before the script loads. */
function ThemeChoice({ theme, onTheme }: ThemeChoiceProps) {
  const t = useTexts(texts)
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chosen = group.current?.querySelector<HTMLInputElement>(':checked')?.value as Theme
    if (chosen !== theme) onTheme(chosen)
  })
  return (
    <div ref={group} role="radiogroup" aria-label={t('theme')} className="needs-script flex flex-wrap items-center gap-1">
      <span aria-hidden="true" className="me-2 text-ink-2">
        {t('theme')}
      </span>
      {choices.map((choice) => (
        <label
          key={choice.theme}
          className="relative flex min-h-8 cursor-pointer items-center rounded-full px-3 font-bold outline-offset-2 outline-brand hover:underline has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-3"
        >
          <input
            type="radio"
            name="theme"
            value={choice.theme}
            checked={theme === choice.theme}
            onChange={() => onTheme(choice.theme)}
            className="sr-only"
          />
          <span>{t(choice.text)}</span>
        </label>
      ))}
    </div>
  )
}
