import { pickVariant } from '#src/lib/language/language.ts'
import { useLanguage } from '#src/ui/language.tsx'
import type { GadgetInput } from '../contract.ts'

/** One entry in the language of the page, as shown to visitors. */
export function GadgetCard({ gadget }: { gadget: Omit<GadgetInput, 'version' | 'english_reviewed'> }) {
  const language = useLanguage()
  const name = pickVariant(language, gadget.name, gadget.name_en)
  const description = pickVariant(language, gadget.description, gadget.description_en)
  return (
    <section className="card grid gap-2 px-6 py-5">
      <h2 className="text-xl wrap-anywhere" lang={name.lang}>
        {name.text}
      </h2>
      {description.text && (
        <p className="max-w-prose wrap-anywhere whitespace-pre-line text-ink-2" lang={description.lang}>
          {description.text}
        </p>
      )}
    </section>
  )
}
