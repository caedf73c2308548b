import type { ReactNode } from 'react'
import { Form, useSearchParams, useSubmit } from 'react-router'
import { Button } from '#src/ui/components/button.tsx'
import { Field } from '#src/ui/forms/field.tsx'
import { SearchIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'

/** Filter values of a list, read from the address, so that a view can be shared and restored. */
export function useFilter(names: readonly string[]) {
  const [query] = useSearchParams()
  const valueOf = (name: string) => query.get(name) ?? ''
  return { query, valueOf, isFiltered: names.some((name) => valueOf(name) !== '') }
}

/** Filter form of a list; selects apply at once, text with the button. */
export function FilterForm({ className = 'filter', children }: { className?: string; children: ReactNode }) {
  const submit = useSubmit()
  const [query] = useSearchParams()
  return (
    <Form
      // Going back changes the address, and so the default values.
      key={query.toString()}
      role="search"
      className={`mb-6 ${className}`}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) void submit(event.currentTarget)
      }}
    >
      {children}
    </Form>
  )
}

type SearchFieldProps = { label: string; placeholder: string; value: string; className?: string }

export function SearchField({ label, placeholder, value, className }: SearchFieldProps) {
  return (
    <Field label={label} className={className}>
      {(attributes) => (
        <input
          type="search"
          name="search"
          className="input"
          placeholder={placeholder}
          maxLength={200}
          defaultValue={value}
          {...attributes}
        />
      )}
    </Field>
  )
}

export function FilterButton({ children }: { children: ReactNode }) {
  return (
    <Button type="submit" variant="secondary">
      <SearchIcon />
      <span>{children}</span>
    </Button>
  )
}

export function ClearFilter({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="py-0.5 font-bold text-brand underline underline-offset-2">
      {children}
    </Link>
  )
}
