import { emailArticles, securityArticles } from './email-security.ts'
import { fileArticles, networkArticles } from './files-network.ts'
import { officeArticles } from './office.ts'
import { telephoneArticles } from './telephone.ts'

/** An article of a demonstration site; the texts are HTML whose elements need not be closed. */
export type SampleArticle = {
  categorie: string
  titre: string
  titre_en: string
  mots_cles: string
  mots_cles_en: string
  corps: string
  corps_en: string
}

/** The help articles of a demonstration site; loaded only to fill an empty database. */
export const sampleArticles: SampleArticle[] = [
  ...telephoneArticles,
  ...emailArticles,
  ...securityArticles,
  ...fileArticles,
  ...networkArticles,
  ...officeArticles,
]
