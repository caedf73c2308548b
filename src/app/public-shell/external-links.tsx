import { company } from '#company/company.ts'
import { FacebookIcon, InstagramIcon, LinkedinIcon, LockIcon, YoutubeIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { texts } from '#src/ui/page/site-texts.ts'

const socials = {
  facebook: { name: 'Facebook', Icon: FacebookIcon },
  linkedin: { name: 'LinkedIn', Icon: LinkedinIcon },
  youtube: { name: 'YouTube', Icon: YoutubeIcon },
  instagram: { name: 'Instagram', Icon: InstagramIcon },
}

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
        {company.links.socials.map(({ network, url }) => {
          const { name, Icon } = socials[network]
          return (
            <li key={network}>
              <a href={url} aria-label={name} className="top-link justify-center">
                <Icon size={18} />
              </a>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
