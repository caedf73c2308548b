type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const fieldsOf = (part: ParentNode) => [
  ...part.querySelectorAll<Field>('input:not([type=hidden], [type=file]), textarea, select'),
]

/** What was typed into a part that is out of the page by now is typed into the one in its place, as if the visitor did it. */
export function copyTypedValues(before: ParentNode, after: ParentNode) {
  const made = fieldsOf(after)
  for (const old of fieldsOf(before)) {
    const field = made.find(({ name, type }) => name === old.name && type === old.type)
    if (!field || field === old) continue
    if (isChecked(field) !== isChecked(old)) field.click()
    if (field.value === old.value) continue
    // React watches the property of the element itself.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, old.value)
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  }
}

const isChecked = (field: Field) => 'checked' in field && field.checked
