import { useOutletContext } from 'react-router'
import { ApiError, callApi, getJson } from '#src/ui/api.ts'
import { deviceStorage, tabStorage } from '#src/ui/storage.ts'
import type { Profile } from '../../contract.ts'
import { profileStorageKey, signedInKey } from '../../values.ts'

export function storeProfile(profile: Profile) {
  tabStorage.write(profileStorageKey, JSON.stringify(profile))
  deviceStorage.write(signedInKey, '1')
}

export function resetProfile() {
  tabStorage.write(profileStorageKey, null)
  deviceStorage.write(signedInKey, null)
}

/** Loads the profile of the signed-in user and stores it; clears it where nobody is signed in. */
export async function checkConnection(): Promise<Profile | null> {
  if (!(await getJson<boolean>('/api/auth/me/is_connected'))) {
    resetProfile()
    return null
  }
  const profile = await getJson<Profile>('/api/auth/me')
  storeProfile(profile)
  return profile
}

type SignInAnswer = { status: 'connected'; profile: Profile } | { status: 'totp_required' }
export type LoginFailure = 'failed' | 'limited' | 'unreachable'

/** Name and password, then a code where two-factor authentication is on. */
export async function sendSignIn(input: { username: unknown; password: unknown } | { code: unknown }) {
  const path = 'code' in input ? '/api/auth/totp' : '/api/auth/login'
  const response = await callApi<SignInAnswer>('POST', path, input)
  if (response.status === 'connected') storeProfile(response.profile)
  return response
}

export function loginFailureOf(error: unknown): LoginFailure {
  console.warn(error)
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return 'unreachable'
  return error.status === 429 ? 'limited' : 'failed'
}

export async function logOff() {
  resetProfile()
  await callApi('POST', '/api/auth/logoff')
}

/** The signed-in user, in any page of the administration. */
export function useProfile() {
  return useOutletContext<Profile>()
}
