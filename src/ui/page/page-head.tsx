import type { ReactNode } from 'react'
import type { Crumb } from './breadcrumbs.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'

type PageHeadProps = {
  title: ReactNode
  lead?: ReactNode
  trail: Crumb[]
  actions?: ReactNode
  scene?: { src: string; alt: string }
}

/** Head of a static page: breadcrumbs, title, lead, actions, and a picture on a wide screen. */
export function PageHead({ title, lead, trail, actions, scene }: PageHeadProps) {
  return (
    <div
      className={`grid items-center gap-x-16 gap-y-8 pt-8 pb-10 md:pt-10 md:pb-14 ${scene ? 'md:grid-cols-[1fr_20rem] lg:grid-cols-[1fr_28rem]' : ''}`}
    >
      <div className="grid gap-5">
        <Breadcrumbs trail={trail} />
        <h1>{typeof title === 'string' ? joinShortWords(title) : title}</h1>
        {lead && <p className="max-w-prose text-lg text-ink-2">{lead}</p>}
        {actions && <div className="mt-1 flex flex-wrap gap-3 print:hidden">{actions}</div>}
      </div>
      {scene && (
        <img
          src={scene.src}
          alt={scene.alt}
          width="640"
          height="480"
          className="scene hidden aspect-4/3 object-cover md:block print:hidden"
        />
      )}
    </div>
  )
}

/** Keeps a short hyphenated word, such as « Contactez-nous! », on one line. */
function joinShortWords(title: string) {
  const parts = title.split(/(\S+-\S+)/)
  if (parts.length === 1) return title
  return parts.map((part, index) => (
    <span key={part} className={index % 2 === 1 && part.length < 16 ? 'inline-block' : undefined}>
      {part}
    </span>
  ))
}
