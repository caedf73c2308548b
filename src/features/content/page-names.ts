/** Names of the pages at fixed addresses. */
export const pageNames: Readonly<Record<string, { fr: string; en: string }>> = {
  '/': { fr: 'Accueil', en: 'Home' },
  '/reseau': { fr: 'État du réseau', en: 'Network status' },
  '/reseau/avis': { fr: 'Avis de service', en: 'Service notices' },
  '/appel-de-service': { fr: 'Appel de service', en: 'Service call' },
  '/contact': { fr: 'Nous joindre', en: 'Contact us' },
  '/team': { fr: 'Équipe', en: 'Team' },
  '/emploi': { fr: 'Emplois', en: 'Careers' },
  '/aide': { fr: 'Aide', en: 'Help' },
  '/about': { fr: 'À propos', en: 'About' },
  '/about/personal_information': { fr: 'Renseignements personnels', en: 'Personal information' },
  '/wayOfLife': { fr: 'Notre mode de vie', en: 'Our way of life' },
  '/cloud': { fr: 'Infonuagique', en: 'Cloud' },
  '/service': { fr: 'Services', en: 'Services' },
  '/programmation': { fr: 'Programmation', en: 'Programming' },
  '/infrastructure': { fr: 'Infrastructure', en: 'Infrastructure' },
  '/support': { fr: 'Soutien technique', en: 'Technical support' },
  '/telecom/phone_tutorial': { fr: 'Tutoriel\u00a0: le téléphone', en: 'Tutorial: the phone' },
  '/telecom/portal_personnal_tutorial': { fr: 'Tutoriel\u00a0: le portail', en: 'Tutorial: the portal' },
  '/telecom/soft_phone_tutorial': { fr: 'Tutoriel\u00a0: le téléphone logiciel', en: 'Tutorial: the softphone' },
  '/telecom/soft_phone_cell_tutorial': { fr: 'Tutoriel\u00a0: le cellulaire', en: 'Tutorial: the mobile phone' },
  '/telecom/docs': { fr: 'Documentation télécom', en: 'Telecom documentation' },
}

/** What stands for a page's path in addresses: dots for slashes; `home` is `/`. */
export const keyOfPath = (path: string) => (path === '/' ? 'home' : path.slice(1).replaceAll('/', '.'))
export const pathOfKey = (key: string) => (key === 'home' ? '/' : `/${key.replaceAll('.', '/')}`)
