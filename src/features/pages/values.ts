/** Names of the long texts in `company/texts`; a page's address is written where it is routed. */
export const pageTextNames = [
  'about',
  'cloud',
  'service',
  'programmation',
  'infrastructure',
  'privacy',
  'way_of_life',
  'support',
  'telecom_docs',
  'contact',
] as const
/** These exist in French only. */
export const tutorialTextNames = [
  'phone_tutorial',
  'portal_personnal_tutorial',
  'soft_phone_tutorial',
  'soft_phone_cell_tutorial',
] as const
export const textNames = [...pageTextNames, ...tutorialTextNames] as const

export type TutorialName = (typeof tutorialTextNames)[number]
export type TextName = (typeof textNames)[number]
