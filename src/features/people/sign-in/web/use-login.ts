import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError, callApi } from '#src/ui/api.ts'
import type { Profile } from '../contract.ts'
import { logOff, storeProfile } from './session.ts'

type Answer = { status: 'connected'; profile: Profile } | { status: 'totp_required' }
type Failure = 'failed' | 'limited' | 'unreachable'

/** Signs the user out first; then name and password, and a code where two-factor is on. */
export function useLogin() {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { from?: string } | null }
  const signedOut = useRef<Promise<void>>(undefined)
  const [awaitsCode, setAwaitsCode] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  useEffect(() => {
    signedOut.current ??= logOff().catch((error: unknown) => console.warn(error))
  }, [])

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setFailure(null)
    try {
      await signedOut.current
      const answer = awaitsCode
        ? await callApi<Answer>('POST', '/api/auth/totp', { code: form.get('code') })
        : await callApi<Answer>('POST', '/api/auth/login', { username: form.get('username'), password: form.get('password') })
      if (answer.status === 'totp_required') return setAwaitsCode(true)
      storeProfile(answer.profile)
      await navigate(answer.profile.totp_required ? '/admin/profile' : '/admin/panel', { replace: true, state })
    } catch (error) {
      setFailure(loginFailureOf(error))
    } finally {
      setBusy(false)
    }
  }

  return { awaitsCode, busy, failure, handleSubmit }
}

function loginFailureOf(error: unknown): Failure {
  console.warn(error)
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return 'unreachable'
  return error.status === 429 ? 'limited' : 'failed'
}
