import { defineTexts } from '#src/lib/language/texts.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import type { ShownTutorial } from '../contract.ts'

export const telecomTexts = defineTexts({
  fr: {
    documentation: 'Documentation télécom',
    support: 'Soutien technique',
    scene: 'Une technicienne souriante, casque d’écoute sur la tête, salue derrière le comptoir.',
    tutorials: 'Tutoriels vidéo',
    otherTutorials: 'Les autres tutoriels',
    watch: 'Voir le tutoriel',
    inFrench: 'En français',
    frenchOnlyTitle: 'Tutoriel offert en français seulement',
    frenchOnly: 'Ce tutoriel n’existe qu’en français.',
    softphoneTitle: 'Installer le téléphone logiciel',
    softphoneText: 'Un code d’activation vous attend dans votre courriel de bienvenue.',
    play: 'Lire la vidéo : {title}',
    playLabel: 'Lire la vidéo',
    videoOf: 'Vidéo : {title}',
    elsewhere: 'La vidéo est chez {host}. Rien ne lui est demandé avant que vous la lanciez.',
    captions: 'Français',
    missingTitle: 'Vidéo non disponible',
    missing: 'La marche à suivre ci-dessous dit la même chose, pas à pas.',
  },
  en: {
    documentation: 'Telecom documentation',
    support: 'Technical support',
    scene: 'A smiling technician with a headset waves from behind a counter.',
    tutorials: 'Video tutorials',
    otherTutorials: 'The other tutorials',
    watch: 'Watch tutorial',
    inFrench: 'In French',
    frenchOnlyTitle: 'This tutorial is in French only',
    frenchOnly: 'For the same help in English, call {phone} or write to {email}: a technician will walk you through it.',
    softphoneTitle: 'Install the softphone',
    softphoneText: 'An activation code is waiting in your welcome email.',
    play: 'Play the video: {title}',
    playLabel: 'Play the video',
    videoOf: 'Video: {title}',
    elsewhere: 'The video is hosted by {host}. Nothing is requested from it before you press play.',
    captions: 'French',
    missingTitle: 'Video not available',
    missing: 'The steps below say the same thing, one by one.',
  },
})

export function TutorialTiles({ tutorials }: { tutorials: ShownTutorial[] }) {
  const t = useTexts(telecomTexts)
  const language = useLanguage()
  return (
    <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
      {tutorials.map((tutorial) => (
        <li key={tutorial.name} className="card relative flex flex-col items-start gap-3 p-6 hover:border-brand">
          <TutorialDrawing name={tutorial.name} />
          <h3 className="text-lg">
            <Link to={`/telecom/${tutorial.name}`} className="after:absolute after:inset-0 after:rounded-card">
              {tutorial.title[language]}
            </Link>
          </h3>
          {language !== 'fr' && <Badge>{t('inFrench')}</Badge>}
          <p className="mt-auto flex items-center gap-2 pt-2 font-bold text-brand" aria-hidden="true">
            <span>{t('watch')}</span>
            <ArrowIcon size={18} />
          </p>
        </li>
      ))}
    </ul>
  )
}

const drawings: Record<ShownTutorial['name'], string> = {
  phone_tutorial: 'M8 10h8v22H8zm12 4h20v20H8M26 18h10v6H26zm0 10h.1m4.9 0h.1m4.9 0h.1',
  portal_personnal_tutorial:
    'M6 9h36v30H6zm0 8h36M11 13h.1m4 0h.1M24 27a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-7 9a7 7 0 0 1 14 0',
  soft_phone_tutorial: 'M9 9h30v22H9zM5 37h38M18 21a6 6 0 0 1 12 0v3h-3v-3m-9 0v3h3v-3',
  soft_phone_cell_tutorial: 'M15 5h18v38H15zm7 34h4M20 22a4.5 4.5 0 0 1 8 0v3h-2m-6-3v3h2',
}

function TutorialDrawing({ name }: { name: ShownTutorial['name'] }) {
  return (
    <svg
      viewBox="0 0 48 48"
      width="48"
      height="48"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="text-brand"
      aria-hidden="true"
    >
      <path d={drawings[name]} />
    </svg>
  )
}
