import { company } from '#company/company.ts'
import { LockIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import icons from './social.svg'

const names = { facebook: 'Facebook', linkedin: 'LinkedIn', youtube: 'YouTube', instagram: 'Instagram' }

/** External links of the company: client area, telecom site and its documentation, social networks. */
export function ExternalLinks({ className }: { className: string }) {
  const t = useTexts(texts)
  const { clientArea, telecomSite } = company.links
  return (
    <div className={className}>
      <a href={clientArea} className="top-link">
        <LockIcon size={16} />
        <span>{t('clientArea')}</span>
      </a>
      <a href={telecomSite.url} className="top-link">
        {telecomSite.name}
      </a>
      <Link to="/telecom/docs" className="top-link">
        {t('telecomDocs')}
      </Link>
      <ul aria-label={t('socials')} className="flex gap-1">
        {company.links.socials.map(({ network, url }) => (
          <li key={network}>
            <a href={url} aria-label={names[network]} className="top-link justify-center">
              <img src={`${icons}#${network}`} alt="" width="18" height="18" />
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
