import { deleteDraft, fillDraft, readValues, setValue, storeDraft } from '#src/ui/forms/form-draft.ts'
import type { CustomerPage } from '../contract.ts'

type Page = Pick<Extract<CustomerPage, { state: 'open' }>, 'reference' | 'entries'>

/** Keeps in this tab what a customer writes on the page of a request, until the thread has it, or until `signal` is aborted. */
export function keepDraft(form: HTMLFormElement, { reference, entries }: Page, signal: AbortSignal) {
  if (signal.aborted) return
  const key = `requests/${reference}/answer`
  fillDraft(form, key, [])
  const draft = textIn(readValues(form)['text'])
  if (draft && entries.some(({ kind, text }) => kind === 'customer' && textIn(text) === draft)) {
    setValue(form, 'text', '')
    deleteDraft(key)
  }
  const store = () => storeDraft(key, ['text'], readValues(form))
  form.addEventListener('input', store, { signal })
  // What was written before this was loaded.
  store()
}

/** A post changes the ends of lines. */
const textIn = (text = '') => text.replaceAll(/\s+/g, ' ').trim()
