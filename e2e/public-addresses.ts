/** Every address of the public site that is the same on each start; the home page, people and postings have journeys of their own. */
export const publicAddresses = [
  '/about',
  '/about/personal_information',
  '/team',
  '/wayOfLife',
  '/cloud',
  '/service',
  '/programmation',
  '/infrastructure',
  '/emploi',
  '/reseau',
  '/support',
  '/appel-de-service',
  '/telecom/docs',
  '/telecom/phone_tutorial',
  '/telecom/portal_personnal_tutorial',
  '/telecom/soft_phone_tutorial',
  '/telecom/soft_phone_cell_tutorial',
  '/contact',
]

/** The four are French only (spec.md 2.1). */
export const isTutorial = (address: string) => address.endsWith('_tutorial')
