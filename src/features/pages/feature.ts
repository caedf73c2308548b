import { defineFeature } from '#src/lib/feature.ts'

export const pages = defineFeature({
  publicPaths: [
    '/about',
    '/wayOfLife',
    '/about/personal_information',
    '/cloud',
    '/service',
    '/programmation',
    '/infrastructure',
    '/support',
    '/telecom/docs',
    '/telecom/phone_tutorial',
    '/telecom/portal_personnal_tutorial',
    '/telecom/soft_phone_tutorial',
    '/telecom/soft_phone_cell_tutorial',
    '/contact',
  ],
})
