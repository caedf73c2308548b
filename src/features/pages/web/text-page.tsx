import type { ReactNode } from 'react'
import type { PageText } from '../contract.ts'
import { ContactBand, ContactButton } from './contact-band.tsx'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { TableOfContents } from './table-of-contents.tsx'
import { TextBody } from './text-body.tsx'

type TextPageProps = {
  text: PageText
  path: string
  scene: { src: string; alt: string }
  /** Below the table of contents, on a wide screen. */
  aside?: ReactNode
}

/** About and the four services: a long text with its contents beside it, and a way to get in touch above and below. */
export function TextPage({ text, path, scene, aside }: TextPageProps) {
  return (
    <div className="wrap">
      <PageHead
        title={text.title}
        lead={text.lead}
        trail={[{ name: text.title, path }]}
        scene={scene}
        actions={<ContactButton />}
      />
      <div className="grid gap-x-16 border-t border-line pt-10 lg:grid-cols-[1fr_17rem]">
        <TextBody text={text} />
        <div className="hidden lg:block">
          <div className="sticky top-8 grid gap-8">
            <TableOfContents sections={text.sections} />
            {aside}
          </div>
        </div>
      </div>
      <ContactBand />
    </div>
  )
}
