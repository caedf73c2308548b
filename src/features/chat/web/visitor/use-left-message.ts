import { useRef, useState } from 'react'
import { ApiError, callApi } from '#src/ui/api.ts'
import { useLanguage } from '#src/ui/language.tsx'
import { chatAddress, visitedPage } from './chat-host.ts'
import { keep, readKept } from './visitor-storage.ts'

export type Wrong = 'name' | 'email' | 'message'

/** What the visitor leaves, checked and sent; `reference` is the number it was given. */
export function useLeftMessage(idChat: string | null) {
  const form = useRef<HTMLFormElement>(null)
  const language = useLanguage()
  const [visitor] = useState(() => readKept().visitor)
  const [wrong, setWrong] = useState<Wrong | null>(null)
  const [stage, setStage] = useState<'writing' | 'sending' | 'limited' | 'failed'>('writing')
  const [reference, setReference] = useState('')

  const send = async () => {
    const data = new FormData(form.current ?? undefined)
    const value = (name: string) => String(data.get(name) ?? '').trim()
    const isEmail = form.current?.querySelector<HTMLInputElement>('[name=email]')?.validity.typeMismatch === false
    const missing = !value('name') ? 'name' : !value('email') || !isEmail ? 'email' : !value('message') ? 'message' : null
    setWrong(missing)
    if (missing) return form.current?.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus()
    setStage('sending')
    try {
      const fields = { name: value('name'), email: value('email'), phone: value('phone'), message: value('message') }
      const body = { ...fields, honey: value('honey'), language, page: visitedPage(), ...(idChat ? { id_chat: idChat } : {}) }
      const receipt = await callApi<{ reference: string }>('POST', chatAddress('message'), body)
      keep({ draft: '' })
      setReference(receipt.reference)
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0
      setStage(status === 429 ? 'limited' : 'failed')
      if (status === 400) setWrong('email')
    }
  }

  return { form, visitor, wrong, stage, reference, send }
}
