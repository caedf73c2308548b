import { company } from '#company/company.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { unbroken } from '#src/lib/text/numbers.ts'
import { ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { ArrowIcon, PhoneIcon } from '#src/ui/components/icons.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { Link } from '#src/ui/components/link.tsx'
import workshop from '#src/ui/illustrations/workshop.svg'
import serverRoom from '#src/ui/illustrations/server-room.svg'
import teamLunch from '#src/ui/illustrations/team-lunch.svg'
import training from '#src/ui/illustrations/training.svg'
import wiringCloset from '#src/ui/illustrations/wiring-closet.svg'
import { useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { pageTags } from '#src/ui/page/page-meta.ts'
import { texts } from '#src/ui/page/site-texts.ts'
import type { Route } from './+types/text-page.ts'
import { serviceLinks } from './menu-links.ts'
import { TableOfContents, TextBody } from './text-body.tsx'
import { fetchText, findText } from './text-loader.ts'

const pageTexts = defineTexts({
  fr: {
    contactUs: 'Nous joindre',
    call: 'Appeler le\u00a0{phone}',
    bandTitle: 'Parlons de vos besoins',
    bandText:
      'Une personne prend votre appel ou votre message, pose quelques questions et vous dit franchement si nous pouvons vous aider.',
    bandHours: 'Urgences : jour et nuit, au numéro sans frais',
    otherServices: 'Nos autres services',
    aboutScene: 'Cinq collègues dînent ensemble autour d’une longue table.',
    cloudScene: 'Une technicienne en tuque travaille devant les serveurs pendant qu’il neige à la fenêtre.',
    serviceScene: 'Un technicien répare un ordinateur ouvert à l’établi.',
    programmingScene: 'Une programmeuse-analyste explique un schéma au tableau à trois collègues.',
    infrastructureScene: 'Un technicien branche un câble dans une grande armoire de câblage.',
  },
  en: {
    contactUs: 'Contact us',
    call: 'Call {phone}',
    bandTitle: 'Tell us about your needs',
    bandText: 'A person takes your call or your message, asks a few questions and tells you frankly whether we can help.',
    bandHours: 'Emergencies: day and night, on the toll-free line',
    otherServices: 'Our other services',
    aboutScene: 'Five colleagues have lunch together around a long table.',
    cloudScene: 'A technician in a tuque works beside the servers while snow falls outside the window.',
    serviceScene: 'A technician repairs an open computer at the bench.',
    programmingScene: 'A programmer-analyst explains a diagram on the board to three colleagues.',
    infrastructureScene: 'A technician plugs a cable into a large wiring cabinet.',
  },
})

const scenes = {
  about: { src: teamLunch, alt: 'aboutScene' },
  cloud: { src: serverRoom, alt: 'cloudScene' },
  service: { src: workshop, alt: 'serviceScene' },
  programmation: { src: training, alt: 'programmingScene' },
  infrastructure: { src: wiringCloset, alt: 'infrastructureScene' },
} as const

type Name = keyof typeof scenes

export function loader(args: Route.LoaderArgs) {
  return findText(nameOf(args.pattern), args)
}

export function clientLoader(args: Route.ClientLoaderArgs) {
  return fetchText(nameOf(args.pattern), args)
}

export const shouldRevalidate = revalidateOn('company')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageTags(matches, loaderData.title, loaderData.description, `/${loaderData.name}`) : []
}

/** About and the four services: a long text with its contents beside it, and a way to get in touch above and below. */
export default function TextPage({ loaderData: text }: Route.ComponentProps) {
  const t = useTexts(pageTexts)
  const name = text.name as Name
  const path = `/${name}`
  const { src, alt } = scenes[name]
  return (
    // Keyed by text, so that the picture of the previous page does not stay.
    <div key={name} className="wrap">
      <PageHead
        title={text.title}
        lead={text.lead}
        trail={[{ name: text.title, path }]}
        scene={{ src, alt: t(alt) }}
        actions={<ContactButton />}
      />
      <div className="grid gap-x-16 border-t border-line pt-10 lg:grid-cols-[1fr_17rem]">
        <TextBody text={text} />
        <div className="hidden lg:block">
          <div className="sticky top-8 grid gap-8">
            <TableOfContents sections={text.sections} />
            {name !== 'about' && <OtherServices current={path} />}
          </div>
        </div>
      </div>
      <ContactBand />
    </div>
  )
}

/** The name of a text is its address. */
const nameOf = (pattern: string) => pattern.replace('/', '') as Name

/** Links from one service page to the three others. */
function OtherServices({ current }: { current: string }) {
  const t = useTexts(pageTexts)
  const names = useTexts(texts)
  return (
    <nav aria-label={t('otherServices')} className="text-sm">
      <p className="mb-1 font-bold">{t('otherServices')}</p>
      <ul>
        {serviceLinks
          .filter((link) => link.to !== current)
          .map((link) => (
            <li key={link.to}>
              <Link to={link.to} className="flex items-center gap-2 py-1.5 font-bold text-brand hover:underline">
                <span>{names(link.text)}</span>
                <ArrowIcon size={16} />
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** End of a service page: what to do next. */
function ContactBand() {
  const t = useTexts(pageTexts)
  const { tollFree } = company.phones
  return (
    <section className="night mt-16 grid items-center gap-x-12 gap-y-6 rounded-scene px-6 py-10 sm:px-12 md:grid-cols-[1fr_auto] print:hidden">
      <div className="grid gap-3">
        <h2>{t('bandTitle')}</h2>
        <p className="max-w-prose text-ink-2">{t('bandText')}</p>
        <p className="text-sm font-bold">
          <Lamp on>{t('bandHours')}</Lamp>
        </p>
      </div>
      <div className="flex flex-wrap gap-3 md:flex-col">
        <ContactButton />
        <ButtonAnchor variant="secondary" href={`tel:${tollFree.e164}`}>
          <PhoneIcon />
          <span className="tabular">{t('call', { phone: unbroken(tollFree.display) })}</span>
        </ButtonAnchor>
      </div>
    </section>
  )
}

function ContactButton() {
  const t = useTexts(pageTexts)
  return <ButtonLink to="/contact">{t('contactUs')}</ButtonLink>
}
