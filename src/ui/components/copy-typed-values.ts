type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const fieldsOf = (part: ParentNode) => [
  ...part.querySelectorAll<Field>('input:not([type=hidden], [type=file]), textarea, select'),
]

/** Copies the values typed into removed form fields to the fields that replaced them, with the events of a user's input. */
export function copyTypedValues(before: ParentNode, after: ParentNode) {
  const made = fieldsOf(after)
  for (const old of fieldsOf(before)) {
    const field = made.find(({ name, type }) => name === old.name && type === old.type)
    if (!field || field === old) continue
    if (isChecked(field) !== isChecked(old)) field.click()
    if (field.value === old.value) continue
    // React overrides the `value` property of the element, so call the setter of the prototype.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, old.value)
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  }
}

const isChecked = (field: Field) => 'checked' in field && field.checked
