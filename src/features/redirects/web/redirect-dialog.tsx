import { useEffect, useId, useState } from 'react'
import { ApiError, callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { Field, SelectField, TextField } from '#src/ui/forms/field.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Redirect, Target } from '../contract.ts'
import { redirectTexts } from '../texts.ts'
import type { RedirectStatus } from '../values.ts'
import { addressMax, redirectStatuses } from '../values.ts'

/** A redirect to write: a stored one, or a new one with what is known of it. */
export type RedirectDraft = Pick<Redirect, 'from' | 'to' | 'status'> & Partial<Pick<Redirect, 'id_redirect' | 'version'>>

export const redirectsPath = '/api/redirects/redirects'
const pause = 150

type DialogProps = {
  draft: RedirectDraft | null
  /** Where the focus begins. */
  focus?: 'from' | 'to'
  onClose: () => void
  onSaved: (saved: Redirect, isNew: boolean) => void
}

/** The form of one redirect. */
export function RedirectDialog({ draft, ...rest }: DialogProps) {
  const t = useTexts(redirectTexts)
  return (
    <Dialog open={draft !== null} onClose={rest.onClose} title={t(draft?.id_redirect ? 'dialogEdit' : 'dialogNew')}>
      {draft && <RedirectForm key={`${draft.id_redirect ?? ''} ${draft.from}`} draft={draft} {...rest} />}
    </Dialog>
  )
}

type Fault = { field: 'from' | 'to' | null; text: string }
const reasons = ['taken', 'loop', 'known', 'full'] as const

function RedirectForm({ draft, focus = 'from', onClose, onSaved }: DialogProps & { draft: RedirectDraft }) {
  const t = useTexts(redirectTexts)
  const f = useTexts(failureTexts)
  const [from, setFrom] = useState(draft.from)
  const [to, setTo] = useState(draft.to ?? '')
  const [status, setStatus] = useState<RedirectStatus>(draft.status)
  const [fault, setFault] = useState<Fault | null>(null)
  const [isBusy, setBusy] = useState(false)
  const faultOf = (error: unknown): Fault => {
    if (!(error instanceof ApiError)) return { field: null, text: f(failureOf(error)) }
    const reason = reasons.find((one) => one === error.problem.reason)
    if (reason) return { field: reason === 'loop' ? 'to' : 'from', text: t(reason) }
    const wrong = error.errors[0]
    if (wrong?.path === 'to') return { field: 'to', text: t(wrong.message === 'required' ? 'required' : 'toWrong') }
    return wrong?.path === 'from' ? { field: 'from', text: t('fromWrong') } : { field: null, text: f(failureOf(error)) }
  }
  const save = async () => {
    setBusy(true)
    setFault(null)
    const values = { from: pathOf(from), to: status === 410 ? null : to.trim(), status }
    try {
      const saved = draft.id_redirect
        ? await callApi<Redirect>('PUT', `${redirectsPath}/${draft.id_redirect}`, { ...values, version: draft.version })
        : await callApi<Redirect>('POST', redirectsPath, values)
      onSaved(saved, !draft.id_redirect)
    } catch (error) {
      console.warn(error)
      setFault(faultOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void save()
      }}
    >
      <TextField
        label={t('from')}
        hint={t('fromHint')}
        error={fault?.field === 'from' ? fault.text : null}
        value={from}
        maxLength={addressMax}
        autoComplete="off"
        spellCheck={false}
        ref={(element) => void element?.toggleAttribute('autofocus', focus === 'from')}
        onChange={(event) => setFrom(event.target.value)}
      />
      <SelectField
        label={t('kind')}
        value={status}
        onChange={(event) => setStatus(redirectStatuses.find((one) => String(one) === event.target.value) ?? 301)}
      >
        {redirectStatuses.map((one) => (
          <option key={one} value={one}>
            {t(`kind${one}`)}
          </option>
        ))}
      </SelectField>
      {status !== 410 && (
        <TargetField value={to} error={fault?.field === 'to' ? fault.text : null} isFirst={focus === 'to'} onChange={setTo} />
      )}
      <p role="alert" className="text-err empty:hidden">
        {fault?.field === null ? fault.text : null}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" busy={isBusy}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

/** A full address of the former site, as people copy it, is its path here. */
function pathOf(typed: string) {
  const text = typed.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const { pathname, search } = new URL(text)
  return pathname + search
}

type TargetFieldProps = { value: string; error: string | null; isFirst: boolean; onChange: (value: string) => void }

/** A combobox over the titles and the addresses of the pages. */
function TargetField({ value, error, isFirst, onChange }: TargetFieldProps) {
  const t = useTexts(redirectTexts)
  const language = useLanguage()
  const listId = useId()
  const [targets, setTargets] = useState<Target[]>([])
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isSearched = isOpen && value.trim().length > 1 && !value.startsWith('https:')
  useEffect(() => {
    if (!isSearched) return undefined
    const stop = new AbortController()
    const timer = setTimeout(() => {
      getJson<Target[]>(`/api/redirects/targets?${String(new URLSearchParams({ q: value.trim(), language }))}`, stop.signal).then(
        (found) => {
          setTargets(found)
          setActive(-1)
        },
        (failure: unknown) => stop.signal.aborted || console.warn(failure),
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [value, language, isSearched])
  const shown = isSearched ? targets : []
  const choose = ({ path }: Target) => {
    onChange(path)
    setOpen(false)
  }
  const handleKey = (event: React.KeyboardEvent) => {
    if (shown.length === 0) return
    const chosen = shown[active]
    if (event.key === 'Escape') {
      event.preventDefault()
      setOpen(false)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      choose(chosen)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((active + step + shown.length) % shown.length)
    }
  }
  return (
    <Field label={t('to')} hint={t('toHint')} error={error}>
      {(attributes) => (
        <>
          <input
            type="text"
            role="combobox"
            className="input"
            autoComplete="off"
            spellCheck={false}
            maxLength={addressMax}
            aria-autocomplete="list"
            aria-expanded={shown.length > 0}
            aria-controls={shown.length > 0 ? listId : undefined}
            aria-activedescendant={shown[active] ? `${listId}-${active}` : undefined}
            value={value}
            // `showModal` reads the attribute, which React's property of that name does not set.
            ref={(element) => void element?.toggleAttribute('autofocus', isFirst)}
            onChange={(event) => {
              onChange(event.target.value)
              setOpen(true)
            }}
            onKeyDown={handleKey}
            onBlur={() => setOpen(false)}
            {...attributes}
          />
          {shown.length > 0 && (
            <div id={listId} role="listbox" aria-label={t('options')} className="card mt-1 grid">
              {shown.map((target, index) => (
                <div
                  key={target.path}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  className={`grid cursor-pointer px-4 py-2 ${index === active ? 'bg-brand-soft' : ''}`}
                  // Before the field loses the focus and the list closes.
                  onMouseDown={(event) => {
                    event.preventDefault()
                    choose(target)
                  }}
                >
                  <span className="font-bold">
                    <span>{target.title || target.path}</span>
                    {!target.published && <span className="font-normal">{` (${t('draft')})`}</span>}
                  </span>
                  <span className="text-sm text-ink-2 wrap-anywhere">{target.path}</span>
                </div>
              ))}
            </div>
          )}
          <p role="status" className="sr-only">
            {isSearched ? t('found', { count: shown.length }) : ''}
          </p>
        </>
      )}
    </Field>
  )
}
