import { useOutletContext } from 'react-router'
import type { Profile } from '../contract.ts'

/** The signed-in person, in any page of the administration. */
export function useProfile() {
  return useOutletContext<Profile>()
}
