import { tabStorage } from '../storage.ts'

type Values = Record<string, string>

export function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries([...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

export function setValue(form: HTMLFormElement, field: string, value: string) {
  const control = form.elements.namedItem(field) as HTMLInputElement | null
  if (!control) return
  control.value = value
  // Notify the character counter.
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Fills empty fields from the draft; fields in `owned` are replaced even where the page filled them. */
export function fillDraft(form: HTMLFormElement, key: string, owned: readonly string[]) {
  for (const [field, value] of Object.entries(readDraft(key))) {
    const control = form.elements.namedItem(field) as HTMLInputElement | null
    if (value && (control?.value === '' || owned.includes(field))) setValue(form, field, value)
  }
}

function readDraft(key: string): Values {
  try {
    return JSON.parse(tabStorage.read(storageKey(key)) ?? '{}') as Values
  } catch {
    return {}
  }
}

export function storeDraft(key: string, fields: readonly string[], values: Values) {
  tabStorage.write(storageKey(key), JSON.stringify(Object.fromEntries(fields.map((field) => [field, values[field]]))))
}

/** Adds a text to the draft of a form that is not shown yet, without removing what is there. */
export function addToDraft(key: string, field: string, text: string) {
  const draft = JSON.parse(tabStorage.read(storageKey(key)) ?? '{}') as Values
  const before = draft[field] ?? ''
  if (before.includes(text)) return
  tabStorage.write(storageKey(key), JSON.stringify({ ...draft, [field]: [before, text].filter(Boolean).join('\n') }))
}

export function deleteDraft(key: string) {
  tabStorage.write(storageKey(key), null)
}

const storageKey = (key: string) => `draft:${key}`
