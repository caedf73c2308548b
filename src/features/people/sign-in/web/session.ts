import { useOutletContext } from 'react-router'
import { callApi, getJson } from '#src/ui/api.ts'
import { tabStorage } from '#src/ui/storage.ts'
import type { Profile } from '../../contract.ts'
import { profileStorageKey } from '../../values.ts'

export function storeProfile(profile: Profile) {
  tabStorage.write(profileStorageKey, JSON.stringify(profile))
}

export function resetProfile() {
  tabStorage.write(profileStorageKey, null)
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

export async function logOff() {
  resetProfile()
  await callApi('POST', '/api/auth/logoff')
}

/** The signed-in user, in any page of the administration. */
export function useProfile() {
  return useOutletContext<Profile>()
}
