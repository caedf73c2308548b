import { createContext, useContext } from 'react'
import type { Feature } from '#src/lib/feature.ts'

/** Every feature, from the administration's frame to its pages. */
export const FeaturesContext = createContext<readonly Feature[]>([])

export const useFeatures = () => useContext(FeaturesContext)
