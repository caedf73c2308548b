import { lazy, Suspense } from 'react'
import type { FieldProps } from '../forms/field.tsx'
import { Field } from '../forms/field.tsx'
import { Skeleton } from '../components/loading.tsx'
import type { RichTextEditorProps } from './editor.tsx'

const RichTextEditor = lazy(async () => ({ default: (await import('./editor.tsx')).RichTextEditor }))

type RichTextFieldProps = FieldProps & Omit<RichTextEditorProps, 'attributes'>

/** A rich text field; the editor is loaded when the first one is shown. */
export function RichTextField({ lang, value, onChange, createPictureUpload, ...field }: RichTextFieldProps) {
  return (
    <Field {...field} isLabelable={false}>
      {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }) => (
        <Suspense fallback={<Skeleton className="h-60 w-full" />}>
          <RichTextEditor
            lang={lang}
            value={value}
            onChange={onChange}
            createPictureUpload={createPictureUpload}
            attributes={{
              id,
              'aria-label': field.label,
              ...(describedBy && { 'aria-describedby': describedBy }),
              ...(isInvalid && { 'aria-invalid': 'true' }),
            }}
          />
        </Suspense>
      )}
    </Field>
  )
}
