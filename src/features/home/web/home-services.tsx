import { Ticket } from '#src/ui/components/card.tsx'
import { ArrowIcon, CloudIcon, CodeIcon, PersonIcon, ServerIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { texts } from '../texts.ts'

const services = [
  { to: '/cloud', Icon: CloudIcon, title: 'cloud', text: 'cloudText' },
  { to: '/service', Icon: PersonIcon, title: 'service', text: 'serviceText' },
  { to: '/programmation', Icon: CodeIcon, title: 'programming', text: 'programmingText' },
  { to: '/infrastructure', Icon: ServerIcon, title: 'equipment', text: 'equipmentText' },
] as const

/** The four services, as tickets torn from the counter's roll. */
export function HomeServices() {
  const t = useTexts(texts)
  return (
    <section aria-labelledby="services-title" className="pt-20">
      <h2 id="services-title" className="max-w-xl">
        {t('servicesTitle')}
      </h2>
      <ul className="mt-8 grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        {services.map(({ to, Icon, title, text }, index) => (
          <li key={to} className="grid">
            <Ticket
              className="group relative transition-transform hover:-translate-y-1"
              stub={
                <>
                  <Icon size={36} className="text-brand" />
                  <span aria-hidden="true" className="tabular text-xl font-extrabold text-ink-2">
                    {`0${index + 1}`}
                  </span>
                </>
              }
            >
              <h3>{t(title)}</h3>
              <p className="mt-2 grow text-ink-2">{t(text)}</p>
              {/* The whole ticket is the link's target; its name says where it leads. */}
              <Link
                to={to}
                aria-label={t('discoverService', { name: t(title) })}
                className="mt-4 inline-flex items-center gap-2 font-bold text-brand after:absolute after:inset-0 after:rounded-card"
              >
                <span>{t('discover')}</span>
                <ArrowIcon className="transition-transform group-hover:translate-x-1" />
              </Link>
            </Ticket>
          </li>
        ))}
      </ul>
    </section>
  )
}
