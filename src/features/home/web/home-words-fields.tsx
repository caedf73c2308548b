import { locales } from '#src/lib/language/language.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage } from '#src/ui/language.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { noWords } from './home-words.ts'
import type { EditedWords } from './use-edited-words.ts'

type HomeWordsFieldsProps = {
  edited: EditedWords
  label: string
  /** Left out where there is no title to edit. */
  titleLabel?: string
}

/** The words in the language of the page; those of the other language stay as they are. */
export function HomeWordsFields({ edited, label, titleLabel }: HomeWordsFieldsProps) {
  const language = useLanguage()
  const words = edited.words ?? noWords
  const title = language === 'fr' ? 'title' : 'title_en'
  const text = language === 'fr' ? 'text' : 'text_en'
  return (
    <div className="grid gap-5">
      {titleLabel && (
        <TextField
          label={titleLabel}
          value={words[title]}
          lang={locales[language]}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => edited.change({ [title]: event.target.value })}
        />
      )}
      <RichTextField
        key={language}
        label={label}
        lang={locales[language]}
        value={words[text]}
        onChange={(html) => edited.change({ [text]: html })}
      />
    </div>
  )
}
