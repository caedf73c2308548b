import { useOutletContext } from 'react-router'
import type { Area, Level, Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { ApiError } from '#src/ui/api.ts'
import type { ComponentType } from 'react'
import { createContext, useContext } from 'react'
import type { Feature } from '#src/lib/feature.ts'

/** The rights of the signed-in user, in any page of the administration. */
export function useRights() {
  return useOutletContext<{ rights: Rights }>().rights
}

/** For pages whose data is public but whose actions need a right: throws as the server would. */
export function useRight(areas: readonly Area[], level: Level) {
  const rights = useRights()
  if (!areas.some((area) => hasRight(rights, area, level))) throw new ApiError(403, {})
}

/** All features, provided by the layout of the administration. */
export const FeaturesContext = createContext<readonly Feature[]>([])

export const useFeatures = () => useContext(FeaturesContext)

/** What features add to one's own profile, below the account itself. */
export const ProfilePanelsContext = createContext<readonly ComponentType[]>([])

export const useProfilePanels = () => useContext(ProfilePanelsContext)
